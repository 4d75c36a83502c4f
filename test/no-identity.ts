/** For sessions in which nobody is asked for a second factor, nor whether it is still them. */
export const NO_IDENTITY = {
  identity: () => Promise.reject(new Error("Nobody is to be asked here.")),
};

/**
 * Stands in for axios in the build (vite.config.ts): @refinedev/simple-rest makes an instance of it while it is loaded, and
 * the console passes a client of its own (records.ts), so that axios would be 19 kB of brotli that never send anything.
 */
export default {
  create: () => ({ interceptors: { response: { use() {} } } }),
};

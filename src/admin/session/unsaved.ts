const forms = new Set<() => boolean>();

/** Registers a form that may hold typed things. @returns how to take it back. */
export function holdUnsaved(isDirty: () => boolean): () => void {
  forms.add(isDirty);
  return () => forms.delete(isDirty);
}

/** Whether some form on the screen holds typed things. Whatever leaves the document without the router asks here first. */
export function hasUnsaved(): boolean {
  return [...forms].some((isDirty) => isDirty());
}

/** The person has chosen to lose them: nothing asks again on the way out. */
export function forgetUnsaved(): void {
  forms.clear();
}

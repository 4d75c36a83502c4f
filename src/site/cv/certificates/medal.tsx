/** Stands for a certificate that has no file to picture. */
export function Medal() {
  return (
    <svg className="certificate-medal" viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="18" r="12" />
      <path d="m18.5 18.5 4 4 7-8M16.5 28 13 44l11-5 11 5-3.5-16" />
    </svg>
  );
}

/** PostgreSQL's text can hold any character but NUL. */
export function isStorable(text: string): boolean {
  return !text.includes('\0');
}

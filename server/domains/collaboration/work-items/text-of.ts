/** What an issue or a merge request says, for those who look for references in it. */
export function textOf({ title, body }: { title: string; body: string }): string {
  return `${title}\n\n${body}`;
}

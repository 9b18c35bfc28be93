/** What the commit says that brings suggestions. */
export interface Person {
  name: string;
  email: string;
}

export interface WantedMessage {
  number: number;
  count: number;
  /** In place of ours. */
  message: string | undefined;
  committer: Person;
  suggesters: readonly Person[];
}

/** Whoever suggested something is named as a further author, as GitHub and GitLab read it. */
export function suggestionsMessage(wanted: WantedMessage): string {
  const { number, count, message, committer, suggesters } = wanted;
  const what = count === 1 ? "a suggestion" : `${count} suggestions`;
  const text = (message ?? `Apply ${what} from !${number}`).trim();
  const others = suggesters.filter(({ email }) => email !== committer.email);
  const lines = new Set(others.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`));
  return lines.size === 0 ? text : `${text}\n\n${[...lines].join("\n")}`;
}

/** Who the numbers of users in a project export of GitLab are: members by their accounts, others by what notes call them. */
import { SourceProblem } from "../source-problem.ts";
import { maxNames } from "./export-reader.ts";
import { fieldsOf, idOf, listOf, textOf, type Fields } from "./loose-fields.ts";

export type UserOf = (id: unknown) => { username: string } | null;

export function createGitlabPeople() {
  const accounts = new Map<string, string>();
  const called = new Map<string, string>();

  function note(names: Map<string, string>, id: unknown, name: unknown): void {
    const [key, text] = [idOf(id), textOf(name)];
    if (key !== null && text !== null) names.set(key, text);
    if (names.size > maxNames) throw new SourceProblem("The archive names too many people.");
  }

  return {
    /** `record`: a member, an issue or a merge request. */
    learn(record: Fields): void {
      const { id, username } = fieldsOf(record["user"]);
      note(accounts, id, username);
      for (const each of listOf(record["notes"]).map(fieldsOf))
        note(called, each["author_id"], fieldsOf(each["author"])["name"]);
    },
    userOf(id: unknown) {
      const key = idOf(id);
      return key === null ? null : { username: accounts.get(key) ?? plainName(key, called.get(key) ?? "") };
    },
  };
}

/** With the number, since nobody's account is called so. */
function plainName(id: string, name: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${plain === "" ? "user" : plain}-${id.slice(0, 20)}`;
}

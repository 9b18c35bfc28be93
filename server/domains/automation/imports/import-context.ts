/** What every record of one import is written with: where it goes, and who people there are here. */
import type { ImportedBy } from "../../collaboration/domain.ts";
import { importedText } from "./imported-text.ts";
import type { BegunImport, Note } from "./imports.store.ts";

const maxAssignees = 20;

export interface ImportContext {
  row: BegunImport;
  repositoryId: string;
  by(login: string): ImportedBy;
  /** Accounts here, and names of those who have none. */
  assigneesOf(logins: readonly string[]): { assigneeIds: string[]; unnamedAssignees: string[] };
  /** As it is kept here; `note` is told of what is lost. */
  text(item: { kind: string; source: string; body: string }, note: (note: Note) => void): string;
}

/** Who people there are here. */
export const namedIn = ({ users, agreed }: Pick<BegunImport, "users" | "agreed">) => ({
  ...users,
  ...agreed,
});

/** `known`: ids of users that still exist. */
export function createImportContext(
  row: BegunImport,
  { repositoryId, known }: { repositoryId: string; known: ReadonlySet<string> },
): ImportContext {
  const named = namedIn(row);
  const userOf = (login: string) => {
    const id = named[login.toLowerCase()];
    return id !== undefined && known.has(id) ? id : null;
  };
  return {
    row,
    repositoryId,
    by: (login) => ({ userId: userOf(login), name: `${row.host}/${login}` }),
    assigneesOf(logins) {
      const ids = logins.map(userOf).filter((id) => id !== null);
      const others = logins.filter((login) => userOf(login) === null).map((login) => `${row.host}/${login}`);
      return {
        assigneeIds: [...new Set(ids)].slice(0, maxAssignees),
        unnamedAssignees: [...new Set(others)].slice(0, maxAssignees),
      };
    },
    text({ kind, source, body }, note) {
      const { text, isCut } = importedText(body, row.number_offset);
      if (isCut) note({ kind, source, reason: "Its text is too long: the end is missing." });
      return text;
    },
  };
}

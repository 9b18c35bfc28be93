/** What every record of one import is written with: where it goes, and who people there are here. */
import type { ImportedBy } from "../../collaboration/domain.ts";
import { importedText } from "./imported-text.ts";
import type { BegunImport, Note } from "./imports.store.ts";

export interface ImportContext {
  row: BegunImport;
  repositoryId: string;
  by(login: string): ImportedBy;
  /** Accounts here. */
  usersOf(logins: readonly string[]): string[];
  /** As it is kept here; `note` is told of what is lost. */
  text(item: { kind: string; source: string; body: string }, note: (note: Note) => void): string;
}

/** `known`: ids of users that still exist. */
export function createImportContext(
  row: BegunImport,
  { repositoryId, known }: { repositoryId: string; known: ReadonlySet<string> },
): ImportContext {
  const userOf = (login: string) => {
    const id = row.users[login.toLowerCase()];
    return id !== undefined && known.has(id) ? id : null;
  };
  return {
    row,
    repositoryId,
    by: (login) => ({ userId: userOf(login), name: `${row.host}/${login}` }),
    usersOf: (logins) => [...new Set(logins.map(userOf).filter((id) => id !== null))].slice(0, 20),
    text({ kind, source, body }, note) {
      const { text, isCut } = importedText(body, row.number_offset);
      if (isCut) note({ kind, source, reason: "Its text is too long: the end is missing." });
      return text;
    },
  };
}

/** Who did something; an account that is gone has no name. What was imported also says who wrote it there, without a link. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { Link } from "react-router";
import { importedAs, importedFrom } from "../../text/imports.ts";
import { text } from "../../text/work-items.ts";
import { Avatar } from "../../ui/avatar.tsx";
import styles from "./actor.module.css";
import type { Person } from "./work-item.ts";

export type ImportedAuthor = Schemas["Comment"]["imported_author"];

export interface ActorProps {
  person: Person | null;
  imported?: ImportedAuthor | undefined;
  size?: number;
}

export function Actor({ person, imported = null, size = 20 }: ActorProps) {
  if (!person)
    return imported === null ? (
      <span>{text.deletedAccount}</span>
    ) : (
      <span>
        <strong>{imported.name}</strong> ({importedFrom(imported.host)})
      </span>
    );
  return (
    <span className={styles.actor}>
      <Avatar src={person.avatar_url} size={size} /> {/* A bot has no page of its own. */}
      {person.type === "bot" ? (
        <strong>{person.username}</strong>
      ) : (
        <Link to={`/${person.username}`} className={styles.name}>
          {person.username}
        </Link>
      )}
      {imported === null ? null : <> ({importedAs(imported.name, imported.host)})</>}
    </span>
  );
}

/** For lists. A name of elsewhere says so: here it may be that of somebody else. */
export function nameOfAuthor({
  author,
  imported_author: imported,
}: {
  author: Person | null;
  imported_author: ImportedAuthor;
}): string | undefined {
  return author?.username ?? (imported ? `${imported.name} (${importedFrom(imported.host)})` : undefined);
}

/** Who did something; an account that is gone has no name. */
import { Link } from "react-router";
import { text } from "../../text/work-items.ts";
import { Avatar } from "../../ui/avatar.tsx";
import styles from "./actor.module.css";
import type { Person } from "./work-item.ts";

export function Actor({ person, size = 20 }: { person: Person | null; size?: number }) {
  if (!person) return <span>{text.deletedAccount}</span>;
  return (
    <span className={styles.actor}>
      <Avatar src={person.avatar_url} size={size} />
      {/* A bot has no page of its own. */}
      {person.type === "bot" ? (
        <strong>{person.username}</strong>
      ) : (
        <Link to={`/${person.username}`} className={styles.name}>
          {person.username}
        </Link>
      )}
    </span>
  );
}

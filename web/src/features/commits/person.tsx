/** Who made a commit: a link where the e-mail address belongs to a user of this instance, else the name it states. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";

export function Person({ person }: { person: Schemas["CommitPerson"] }) {
  if (person.username === null) return <span title={person.email}>{person.name}</span>;
  return (
    <Link data-inline to={`/${person.username}`} title={`${person.name} <${person.email}>`}>
      {person.username}
    </Link>
  );
}

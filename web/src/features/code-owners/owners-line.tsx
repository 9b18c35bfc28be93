/** Who owns a file, and which line of the CODEOWNERS file says so. Nothing where no line is about it. */
import { Fragment } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/code-owners.ts";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./code-owners.module.css";
import { usePathOwners } from "./use-code-owners.ts";

const maxShown = 10;

export function OwnersLine({ place }: { place: { ref: string; path: string } }) {
  const found = usePathOwners(place);
  if (!found?.file || found.rules.length === 0) return null;
  return (
    <ul className={styles.owners}>
      {found.rules.map((rule) => (
        <li key={rule.line}>
          <Rule rule={rule} gitRef={place.ref} file={found.file ?? ""} />
        </li>
      ))}
    </ul>
  );
}

function Rule(props: { rule: Schemas["CodeOwnersRule"]; gitRef: string; file: string }) {
  const { rule, gitRef, file } = props;
  const repository = useRepository();
  const { owners, section, line, pattern } = rule;
  const isOwned = owners.length > 0;
  const words = isOwned
    ? section === null
      ? text.ownedBy
      : text.ownedInSection(section)
    : section === null
      ? text.ownedByNobody
      : text.nobodyInSection(section);
  const rest = owners.length - maxShown;
  return (
    <>
      {words}{" "}
      {owners.slice(0, maxShown).map((owner, index) => (
        <Fragment key={index}>
          {index > 0 ? ", " : null}
          <Owner owner={owner} />
        </Fragment>
      ))}
      {rest > 0 ? ` ${text.more(rest)}` : null}{" "}
      <Link
        to={`${fileAddress(repository, "blob", { ref: gitRef, path: file })}#L${line}`}
        title={text.asked(pattern)}
        className={styles.rule}
        data-inline
      >
        {text.by(file, line)}
      </Link>
    </>
  );
}

function Owner({ owner: { name, username, team } }: { owner: Schemas["CodeOwner"] }) {
  if (username !== null)
    return (
      <Link to={`/${username}`} data-inline>
        {name}
      </Link>
    );
  if (team === null) return name;
  const [org = "", ...path] = team.split("/");
  return (
    <Link to={`/orgs/${org}/teams/${path.join("/")}`} data-inline>
      {name}
    </Link>
  );
}

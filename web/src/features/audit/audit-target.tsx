/** What an entry of an audit log is about, in plain words; a link where it has a page. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/audit.ts";
import styles from "./audit-log.module.css";

type Target = Schemas["AuditEntry"]["target"];

export function AuditTarget({ target }: { target: Target }) {
  const { type } = target;
  const name = nameOf(target);
  const words = Object.hasOwn(text.targets, type)
    ? text.targets[type as keyof typeof text.targets]
    : sentenceOf(type);
  if (name === "") return <span>{words}</span>;
  const address = addressOf(target);
  return (
    <span className={styles.target}>
      {words} {address === null ? name : <Link to={address}>{name}</Link>}
    </span>
  );
}

/** Empty where it says no more than the type: there is one instance, and an id is nothing to read. */
function nameOf({ type, id, name }: Target): string {
  return name === id || name === "instance" || type === "instance" ? "" : name;
}

/** `some_thing` of a later version becomes "Some thing". */
function sentenceOf(type: string): string {
  const words = type.replaceAll("_", " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** By its name at that time: what was renamed since leads on, and what is gone leads to a page that says so. */
function addressOf({ type, name }: Target): string | null {
  if (type === "repository" || type === "user" || type === "bot") return `/${name}`;
  if (type === "organization") return `/orgs/${name}`;
  return null;
}

/** The templates that a repository has for new issues, to choose from. */
import { Link, useLocation } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/issues.ts";
import { Notice } from "../../ui/notice.tsx";
import styles from "./text-templates.module.css";

export function TemplateChooser({ templates, errors }: Schemas["TextTemplates"]) {
  return (
    <>
      <ul className={styles.list} aria-label={text.templates}>
        {templates.map(({ path, name, about }) => (
          <Choice key={path} path={path} name={name} about={about} />
        ))}
        <Choice path="" name={text.blank} about={text.blankAbout} />
      </ul>
      {errors.map(({ path, line, message }) => (
        <Notice key={path} tone="warn">
          {text.templateError(line === null ? path : `${path}:${line}`, message)}
        </Notice>
      ))}
    </>
  );
}

function Choice({ path, name, about }: { path: string; name: string; about: string }) {
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  query.set("template", path);
  return (
    <li>
      <Link to={{ search: query.toString() }} className={styles.choice}>
        <strong>{name}</strong>
        {about === "" ? null : <span>{about}</span>}
      </Link>
    </li>
  );
}

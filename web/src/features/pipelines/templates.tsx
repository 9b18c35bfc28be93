/** The templates of a run or a plan, each with a link to what it was at the commit to which it is pinned. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/templates.ts";
import { shortName } from "../commits/commit-id.ts";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./plan-variables.module.css";

export interface TemplatesProps {
  templates: readonly Schemas["RunTemplate"][];
  heading: "h2" | "h3";
}

export function Templates({ templates, heading: Heading }: TemplatesProps) {
  const { full_name: own } = useRepository();
  if (templates.length === 0) return null;
  return (
    <section aria-label={text.title}>
      <Heading>{text.title}</Heading>
      <ul className={styles.list}>
        {templates.map(({ uses, repository, path, sha }) => (
          <li key={uses}>
            {sha === null ? (
              <code>{uses}</code>
            ) : (
              <Link
                to={fileAddress({ full_name: repository ?? own }, "blob", { ref: sha, path })}
                data-inline
              >
                <code>{uses}</code>
              </Link>
            )}{" "}
            <span className={styles.level}>
              {repository === null || sha === null ? text.ofRun : text.at(shortName(sha))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

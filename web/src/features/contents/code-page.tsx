/** A page about a path at a ref: the ref to choose, the way to the path as heading, and what can be done. */
import type { ReactNode } from "react";
import { useTitle } from "../../ui/page.tsx";
import { RefChooser } from "../branches/ref-chooser.tsx";
import { shortName } from "../commits/commit-id.ts";
import { fileAddress, type FilePage } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import styles from "./code-page.module.css";

export interface CodePageProps {
  /** The page itself: another ref is looked at with the same one. */
  page: FilePage;
  gitRef: string;
  path: string;
  /** For the browser's tab, before the path. */
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function CodePage({ page, gitRef, path, title, actions, children }: CodePageProps) {
  const repository = useRepository();
  const name = path === "" ? repository.name : path;
  useTitle(
    `${title === undefined ? "" : `${title}: `}${name} at ${shortName(gitRef)} · ${repository.full_name}`,
  );
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <RefChooser current={gitRef} addressOf={(ref) => fileAddress(repository, page, { ref, path })} />
        <h1>
          {title === undefined ? null : <span className="visually-hidden">{title}: </span>}
          <Breadcrumbs gitRef={gitRef} path={path} />
        </h1>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}

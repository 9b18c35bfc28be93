/** The way from the top of a repository to a path, each directory a link; stands within a heading. */
import { Fragment } from "react";
import { Link } from "react-router";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./breadcrumbs.module.css";

export function Breadcrumbs({ gitRef, path }: { gitRef: string; path: string }) {
  const repository = useRepository();
  const parts = path === "" ? [] : path.split("/");
  return (
    <span className={styles.crumbs}>
      <Link to={fileAddress(repository, "tree", { ref: gitRef })}>{repository.name}</Link>
      {parts.map((part, index) => {
        const above = parts.slice(0, index + 1).join("/");
        const isLast = index === parts.length - 1;
        return (
          <Fragment key={above}>
            <span className={styles.line} aria-hidden>
              /
            </span>
            {isLast ? (
              <span>{part}</span>
            ) : (
              <Link to={fileAddress(repository, "tree", { ref: gitRef, path: above })}>{part}</Link>
            )}
          </Fragment>
        );
      })}
    </span>
  );
}

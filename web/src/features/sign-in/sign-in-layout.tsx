/** What pages before the sign-in look like: one narrow column, with ways to the other ones below. */
import type { ReactNode } from "react";
import { Page } from "../../ui/page.tsx";
import styles from "./sign-in-layout.module.css";

export function SignInLayout(props: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  links?: ReactNode;
}) {
  return (
    <div className={styles.layout}>
      <Page title={props.title} lead={props.lead}>
        {props.children}
      </Page>
      {props.links ? <div className={styles.links}>{props.links}</div> : null}
    </div>
  );
}

/** What an OAuth app proves itself with, right after it was made. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text as general } from "../../text/general.ts";
import { apps as words } from "../../text/settings.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./settings.module.css";

export function AppSecret({ app, toList }: { app: Schemas["OAuthAppWithSecret"]; toList: string }) {
  return (
    <div className={styles.narrow}>
      <h2>{words.clientId}</h2>
      <CopyField label={words.clientId} value={app.client_id} />
      {app.client_secret === null ? null : (
        <>
          <h2>{words.clientSecret}</h2>
          <Notice tone="warn">{general.shownOnce}</Notice>
          <CopyField label={words.clientSecret} value={app.client_secret} />
        </>
      )}
      <div>
        <ButtonLink to={toList}>{words.toAll}</ButtonLink>
      </div>
    </div>
  );
}

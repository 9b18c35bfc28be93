/** One's own OpenPGP keys, which verify signatures of commits. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { gpgKeys as words, text } from "../../text/settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { FormButton } from "../../ui/dialog-button.tsx";
import { TextArea } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { CredentialTable } from "./credential-table.tsx";
import styles from "./settings.module.css";

export function GpgKeysPage() {
  const keys = usePages(["/user/gpg-keys"], (query) => api.GET("/user/gpg-keys", { params: { query } }));
  return (
    <Page title={text.gpgKeys} within={text.menu} lead={words.lead} actions={<AddKey />}>
      <CredentialTable
        pages={keys}
        caption={text.gpgKeys}
        words={words}
        isUseNoted={false}
        nameOf={(row) => row.fingerprint}
        cell={(row) => (
          <div className={styles.stack}>
            <code className={styles.break}>{row.fingerprint}</code>
            <span className={`${styles.soft} ${styles.break}`}>{row.emails.join(", ")}</span>
            {row.revoked ? (
              <span>
                <Badge tone="bad">{words.revoked}</Badge>
              </span>
            ) : null}
            {row.expires_at === null ? null : (
              <span className={styles.soft}>
                {words.expires} <Time at={row.expires_at} />
              </span>
            )}
          </div>
        )}
        remove={(id) => api.DELETE("/user/gpg-keys/{id}", { params: { path: { id } } })}
      />
    </Page>
  );
}

function AddKey() {
  const add = (values: FormValues) =>
    api.POST("/user/gpg-keys", { body: { key: (values["key"] ?? "").trim() } });
  return (
    <FormButton
      kind="primary"
      label={words.add}
      title={words.add}
      submit={words.submit}
      said={words.added}
      run={add}
    >
      {(problems) => (
        <TextArea
          name="key"
          label={words.key}
          hint={words.keyHint}
          problem={problems["key"]}
          rows={8}
          spellCheck={false}
          required
          autoFocus
        />
      )}
    </FormButton>
  );
}

/** One's own SSH keys. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { keys as words, text } from "../../text/settings.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { CredentialTable } from "./credential-table.tsx";
import styles from "./settings.module.css";

export function SshKeysPage() {
  const keys = usePages(["/user/keys"], (query) => api.GET("/user/keys", { params: { query } }));
  return (
    <Page title={text.keys} within={text.menu} lead={words.lead} actions={<AddKey />}>
      <CredentialTable
        pages={keys}
        caption={text.keys}
        words={words}
        nameOf={(row) => row.title}
        cell={(row) => (
          <div className={styles.stack}>
            <strong className={styles.break}>{row.title}</strong>
            <code className={styles.break}>{row.fingerprint}</code>
            <span className={styles.soft}>{row.kind}</span>
          </div>
        )}
        remove={(id) => api.DELETE("/user/keys/{id}", { params: { path: { id } } })}
      />
    </Page>
  );
}

function AddKey() {
  const add = (values: FormValues) => {
    const title = (values["title"] ?? "").trim();
    const key = (values["key"] ?? "").trim();
    return api.POST("/user/keys", { body: title === "" ? { key } : { key, title } });
  };
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
        <>
          <TextArea
            name="key"
            label={words.key}
            hint={words.keyHint}
            problem={problems["key"]}
            rows={5}
            spellCheck={false}
            required
            autoFocus
          />
          <TextField
            name="title"
            label={words.title}
            hint={words.titleHint}
            problem={problems["title"]}
            maxLength={100}
          />
        </>
      )}
    </FormButton>
  );
}

/** One's own passkeys. */
import { api } from "../../api/client.ts";
import { createPasskey, hasPasskeys, wasDismissed } from "../../api/passkeys.ts";
import { usePages } from "../../api/use-pages.ts";
import { passkeys as words, text } from "../../text/settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { CredentialTable } from "./credential-table.tsx";
import { PasswordProof } from "./password-proof.tsx";
import styles from "./settings.module.css";

export function PasskeysPage() {
  const passkeys = usePages(["/user/passkeys"], (query) => api.GET("/user/passkeys", { params: { query } }));
  return (
    <Page
      title={text.passkeys}
      within={text.menu}
      lead={words.lead}
      actions={hasPasskeys ? <AddPasskey /> : null}
    >
      {hasPasskeys ? null : <Notice tone="warn">{words.unsupported}</Notice>}
      <CredentialTable
        pages={passkeys}
        caption={text.passkeys}
        words={words}
        nameOf={(row) => row.name}
        cell={(row) => (
          <span className={styles.break}>
            {row.name} {row.synced ? <Badge tone="plain">{words.synced}</Badge> : null}
          </span>
        )}
        remove={(id) => api.DELETE("/user/passkeys/{id}", { params: { path: { id } } })}
      />
    </Page>
  );
}

function AddPasskey() {
  return (
    <FormButton
      kind="primary"
      label={words.add}
      title={words.add}
      lead={words.addLead}
      submit={words.submit}
      said={words.added}
      run={add}
    >
      {(problems) => (
        <>
          <TextField
            name="name"
            label={words.name}
            hint={words.nameHint}
            problem={problems["name"]}
            maxLength={100}
            required
            autoFocus
          />
          <PasswordProof problem={problems["password"]} />
        </>
      )}
    </FormButton>
  );
}

async function add(values: FormValues): Promise<void> {
  try {
    await createPasskey({ name: (values["name"] ?? "").trim(), password: values["password"] ?? "" });
  } catch (error) {
    if (wasDismissed(error)) throw new Error(words.dismissed, { cause: error });
    throw error;
  }
}

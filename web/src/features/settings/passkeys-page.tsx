/** One's own passkeys. */
import { api } from "../../api/client.ts";
import { createPasskey, hasPasskeys, wasDismissed } from "../../api/passkeys.ts";
import { usePages } from "../../api/use-pages.ts";
import { passkeys as words, text } from "../../text/settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { lastUsedColumn } from "./last-used-column.tsx";
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
      <PagedTable
        pages={passkeys}
        empty={<EmptyState title={words.empty}>{words.emptyHint}</EmptyState>}
        caption={text.passkeys}
        keyOf={(row) => row.id}
        columns={[
          {
            title: text.nameColumn,
            wide: true,
            cell: (row) => (
              <span className={styles.break}>
                {row.name} {row.synced ? <Badge tone="plain">{words.synced}</Badge> : null}
              </span>
            ),
          },
          { title: text.added, cell: (row) => <Time at={row.created_at} /> },
          lastUsedColumn,
          {
            title: "",
            label: text.actions,
            cell: (row) => (
              <RowActions>
                <ConfirmButton
                  label={text.remove}
                  name={words.removeName(row.name)}
                  title={words.removeTitle(row.name)}
                  said={words.removed}
                  run={() => api.DELETE("/user/passkeys/{id}", { params: { path: { id: row.id } } })}
                >
                  <p>{words.removeText}</p>
                </ConfirmButton>
              </RowActions>
            ),
          },
        ]}
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

/** One's own SSH keys. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { keys as words, text } from "../../text/settings.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { lastUsedColumn } from "./last-used-column.tsx";
import styles from "./settings.module.css";

export function KeysPage() {
  const keys = usePages(["/user/keys"], (query) => api.GET("/user/keys", { params: { query } }));
  return (
    <Page title={text.keys} within={text.menu} lead={words.lead} actions={<AddKey />}>
      <PagedTable
        pages={keys}
        empty={<EmptyState title={words.empty}>{words.emptyHint}</EmptyState>}
        caption={text.keys}
        keyOf={(row) => row.id}
        columns={[
          {
            title: text.nameColumn,
            wide: true,
            cell: (row) => (
              <div className={styles.stack}>
                <strong className={styles.break}>{row.title}</strong>
                <code className={styles.break}>{row.fingerprint}</code>
                <span className={styles.soft}>{row.kind}</span>
              </div>
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
                  name={words.removeName(row.title)}
                  title={words.removeTitle(row.title)}
                  said={words.removed}
                  run={() => api.DELETE("/user/keys/{id}", { params: { path: { id: row.id } } })}
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

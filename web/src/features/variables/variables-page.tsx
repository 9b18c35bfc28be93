/** The variables of a repository, an organization or the instance. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/variables.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { useVariableOwner } from "./use-variable-owner.ts";
import styles from "./variables-page.module.css";

type Variable = Schemas["Variable"];

export function VariablesPage() {
  const { at, path, level, name, mayChange } = useVariableOwner();
  const pages = usePages(["variables", level, name], (query) => api.GET(at(""), { params: { path, query } }));
  return (
    <Page
      title={text.title}
      within={name}
      lead={text.lead[level]}
      actions={mayChange ? <AddVariable /> : null}
    >
      <p>
        {text.notSecret} <a href="/docs/pipelines/variables">{text.docs}</a>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={(variable) => `variable-${variable.name}`}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          { title: text.name, wide: true, cell: (variable) => <code>{variable.name}</code> },
          {
            title: text.value,
            wide: true,
            cell: ({ value }) => <code className={styles.value}>{value}</code>,
          },
          { title: text.changedBy, cell: (variable) => variable.changed_by ?? "–" },
          { title: text.changed, cell: (variable) => <Time at={variable.updated_at} /> },
          {
            title: "",
            label: text.actions,
            cell: (variable) => (
              <RowActions>
                {mayChange ? <ChangeVariable variable={variable} /> : null}
                {level === "environment" && !mayChange ? null : <RemoveVariable variable={variable} />}
              </RowActions>
            ),
          },
        ]}
      />
    </Page>
  );
}

function AddVariable() {
  const set = useSet();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      submit={text.save}
      kind="primary"
      said={text.saved}
      run={({ name = "", value = "" }) => set(name, value)}
    >
      {(problems) => (
        <>
          <TextField
            name="name"
            label={text.name}
            hint={text.nameHint}
            required
            maxLength={255}
            pattern="(?!CI_)[A-Za-z_][A-Za-z0-9_]*"
            spellCheck={false}
            autoComplete="off"
            problem={problems["name"]}
          />
          <ValueField problem={problems["value"]} />
        </>
      )}
    </FormButton>
  );
}

function ChangeVariable({ variable: { name, value } }: { variable: Variable }) {
  const set = useSet();
  return (
    <FormButton
      label={text.change}
      name={text.changeName(name)}
      title={text.changeTitle(name)}
      submit={text.save}
      said={text.saved}
      run={(values) => set(name, values["value"] ?? "")}
    >
      {(problems) => <ValueField value={value} problem={problems["value"]} />}
    </FormButton>
  );
}

function ValueField({ value = "", problem }: { value?: string; problem: string | undefined }) {
  return (
    <TextArea
      name="value"
      label={text.value}
      hint={text.valueHint}
      maxLength={65_536}
      spellCheck={false}
      defaultValue={value}
      problem={problem}
    />
  );
}

/** Forms send the line breaks of Windows. */
function useSet() {
  const { at, path } = useVariableOwner();
  return (name: string, value: string) =>
    api.PUT(at("/{name}"), {
      params: { path: { ...path, name } },
      body: { value: value.replaceAll("\r\n", "\n") },
    });
}

function RemoveVariable({ variable: { name } }: { variable: Variable }) {
  const { at, path } = useVariableOwner();
  return (
    <ConfirmButton
      label={text.remove}
      name={text.removeName(name)}
      title={text.removeTitle(name)}
      said={text.removed}
      run={() => api.DELETE(at("/{name}"), { params: { path: { ...path, name } } })}
    >
      <p>{text.removeHint}</p>
    </ConfirmButton>
  );
}

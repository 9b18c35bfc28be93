/** The labels of a repository: searched by everyone, made and changed by those who maintain it. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/labels.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import type { Column } from "../../ui/table.tsx";
import { useAction } from "../../ui/use-action.ts";
import { SearchForm, useSearched } from "../administration/search-form.tsx";
import { mayMaintain } from "../environments/may-maintain.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { addDefaultLabels } from "./default-labels.ts";
import { LabelChip } from "./label-chip.tsx";
import { LabelFields, labelOf } from "./label-fields.tsx";
import styles from "./labels-page.module.css";

type Label = Schemas["Label"];

const one = "/repos/{owner}/{repo}/labels/{id}";

export function LabelsPage() {
  const repository = useRepository();
  const { full_name: fullName } = repository;
  const path = useRepositoryPath();
  const searched = useSearched();
  const pages = usePages(["labels", fullName, searched], (query) =>
    api.GET("/repos/{owner}/{repo}/labels", { params: { path, query: { ...query, ...searched } } }),
  );
  const mayChange = mayMaintain(repository) && !repository.archived;
  const columns: Column<Label>[] = [
    { title: text.name, cell: (label) => <Name label={label} /> },
    { title: text.description, wide: true, cell: ({ description }) => description || "–" },
  ];
  if (mayChange) columns.push({ title: "", label: text.actions, cell: (label) => <Actions label={label} /> });
  return (
    <Page
      title={text.title}
      within={fullName}
      lead={text.lead}
      actions={
        <>
          <ButtonLink to={`/${fullName}/milestones`}>{text.milestones}</ButtonLink>
          {mayChange ? <AddLabel /> : null}
        </>
      }
    >
      <p>
        <a href="/docs/labels">{text.docs}</a>
      </p>
      <SearchForm key={searched.q} hint={text.searchHint} />
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        columns={columns}
        empty={searched.q === undefined ? <NoLabels mayChange={mayChange} /> : <NoneFound />}
      />
    </Page>
  );
}

function Name({ label: { name, color } }: { label: Label }) {
  const { full_name: fullName } = useRepository();
  return (
    <div className={styles.name}>
      <Link to={`/${fullName}/issues?labels=${encodeURIComponent(name)}`}>
        <LabelChip name={name} color={color} />
      </Link>
    </div>
  );
}

function NoneFound() {
  return <EmptyState title={text.noneFound}>{text.noneFoundHint}</EmptyState>;
}

function NoLabels({ mayChange }: { mayChange: boolean }) {
  const path = useRepositoryPath();
  const add = useAction(() => addDefaultLabels(path), { said: text.addedDefaults });
  const button = (
    <Button busy={add.isPending} onClick={add.start}>
      {text.addDefaults}
    </Button>
  );
  return (
    <EmptyState title={text.none} action={mayChange ? button : null}>
      {text.noneHint}
    </EmptyState>
  );
}

function AddLabel() {
  const path = useRepositoryPath();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      submit={text.create}
      kind="primary"
      said={text.created}
      run={(values) => api.POST("/repos/{owner}/{repo}/labels", { params: { path }, body: labelOf(values) })}
    >
      {(problems) => <LabelFields problems={problems} />}
    </FormButton>
  );
}

function Actions({ label }: { label: Label }) {
  const { id, name } = label;
  const params = { path: { ...useRepositoryPath(), id } };
  return (
    <RowActions>
      <FormButton
        label={text.edit}
        name={text.editName(name)}
        title={text.editName(name)}
        submit={text.save}
        said={text.saved}
        run={(values) => api.PATCH(one, { params, body: labelOf(values) })}
      >
        {(problems) => <LabelFields label={label} problems={problems} />}
      </FormButton>
      <ConfirmButton
        label={text.remove}
        name={text.removeName(name)}
        title={text.removeTitle(name)}
        said={text.removed}
        run={() => api.DELETE(one, { params })}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </RowActions>
  );
}

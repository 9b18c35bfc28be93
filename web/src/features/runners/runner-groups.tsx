/** The groups of the instance's or an organization's runners, below these. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/runner-groups.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { accessOf, namesOf } from "./group-access.ts";
import { GroupAccessFields } from "./group-access-fields.tsx";
import styles from "./runners.module.css";

type Group = Schemas["RunnerGroup"];

/** Null: of the instance. */
type GroupsOf = { org: string } | null;

export function RunnerGroups({ of }: { of: GroupsOf }) {
  const pages = usePages<Group>(["runner-groups", of?.org ?? ""], (query) =>
    of === null
      ? api.GET("/runner-groups", { params: { query } })
      : api.GET("/orgs/{org}/runner-groups", { params: { path: of, query } }),
  );
  return (
    <Section
      title={text.title}
      lead={of === null ? text.lead : text.organizationLead}
      actions={<CreateGroup of={of} />}
    >
      <p>
        <a href="/docs/operations/runners#groups">{text.docs}</a>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          { title: text.group, wide: true, cell: (group) => <GroupName group={group} /> },
          { title: text.usedBy, wide: true, cell: (group) => <span>{usersOf(group)}</span> },
          { title: text.runners, cell: ({ runners }) => runners },
          { title: "", label: text.actions, cell: (group) => <GroupActions group={group} /> },
        ]}
      />
    </Section>
  );
}

function usersOf(group: Group): string {
  return group.access === "all" ? text.everybody : namesOf(group) || text.nobody;
}

function GroupName({ group: { name, description } }: { group: Group }) {
  return (
    <span className={styles.name}>
      {name}
      {description === "" ? null : <small>{description}</small>}
    </span>
  );
}

function CreateGroup({ of }: { of: GroupsOf }) {
  return (
    <FormButton
      label={text.create}
      title={text.create}
      said={text.created}
      run={(values) => {
        const body = { ...wordsOf(values), ...accessOf(values) };
        return of === null
          ? api.POST("/runner-groups", { body })
          : api.POST("/orgs/{org}/runner-groups", { params: { path: of }, body });
      }}
    >
      {(problems) => (
        <>
          <NameFields problems={problems} />
          <GroupAccessFields isOrganizations={of !== null} problems={problems} />
        </>
      )}
    </FormButton>
  );
}

function NameFields({ group, problems }: { group?: Group; problems: Record<string, string> }) {
  return (
    <>
      <TextField
        name="name"
        label={text.name}
        hint={text.nameHint}
        maxLength={63}
        required
        defaultValue={group?.name}
        problem={problems["name"]}
      />
      <TextField
        name="description"
        label={text.description}
        maxLength={500}
        defaultValue={group?.description}
        problem={problems["description"]}
      />
    </>
  );
}

function wordsOf({ name = "", description = "" }: Readonly<Record<string, string>>) {
  return { name: name.trim(), description };
}

function GroupActions({ group }: { group: Group }) {
  const { id, name, organization } = group;
  const params = { path: { id } };
  return (
    <RowActions>
      <FormButton
        label={text.accessButton}
        name={text.accessName(name)}
        title={text.accessTitle(name)}
        submit={text.save}
        said={text.saved}
        run={(values) => api.PUT("/runner-groups/{id}/access", { params, body: accessOf(values) })}
      >
        {(problems) => (
          <GroupAccessFields isOrganizations={organization !== null} group={group} problems={problems} />
        )}
      </FormButton>
      <FormButton
        label={text.edit}
        name={text.editName(name)}
        title={text.editTitle(name)}
        submit={text.save}
        said={text.saved}
        run={(values) => api.PATCH("/runner-groups/{id}", { params, body: wordsOf(values) })}
      >
        {(problems) => <NameFields group={group} problems={problems} />}
      </FormButton>
      <ConfirmButton
        label={text.remove}
        name={text.removeName(name)}
        title={text.removeTitle(name)}
        said={text.removed}
        run={() => api.DELETE("/runner-groups/{id}", { params })}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </RowActions>
  );
}

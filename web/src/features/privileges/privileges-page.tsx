/** Repositories whose jobs may be privileged, for administrators. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text as administration } from "../../text/administration.ts";
import { text } from "../../text/privileges.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";

type PrivilegedRepository = Schemas["PrivilegedRepository"];

const path = "/admin/privileged-repositories/{owner}/{repo}";

export function PrivilegesPage() {
  const pages = usePages(["privileged-repositories"], (query) =>
    api.GET("/admin/privileged-repositories", { params: { query } }),
  );
  return (
    <Page title={text.title} within={administration.administration} lead={text.lead} actions={<Allow />}>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={(row) => row.full_name}
        empty={<EmptyState title={text.empty}>{text.emptyHint}</EmptyState>}
        columns={[
          { title: text.repository, wide: true, cell: (row) => <span>{row.full_name}</span> },
          { title: text.allowedBy, cell: (row) => row.allowed_by ?? text.nobody },
          { title: text.allowedAt, cell: (row) => <Time at={row.allowed_at} /> },
          { title: "", label: text.actions, cell: (row) => <Refuse repository={row} /> },
        ]}
      />
    </Page>
  );
}

function Allow() {
  return (
    <FormButton
      label={text.allow}
      title={text.allow}
      kind="primary"
      said={text.allowed}
      run={({ repository = "" }) => {
        const [owner = "", repo = ""] = repository.trim().split("/");
        return api.PUT(path, { params: { path: { owner, repo } } });
      }}
    >
      {(problems) => (
        <TextField
          name="repository"
          label={text.repository}
          hint={text.nameHint}
          pattern="\s*[^\/\s]+\/[^\/\s]+\s*"
          title={text.nameInvalid}
          required
          problem={problems["repository"]}
        />
      )}
    </FormButton>
  );
}

function Refuse({ repository }: { repository: PrivilegedRepository }) {
  const { owner, name, full_name: fullName } = repository;
  return (
    <ConfirmButton
      label={text.refuse}
      name={text.refuseName(fullName)}
      title={text.refuseTitle(fullName)}
      gone={() => []}
      run={() => api.DELETE(path, { params: { path: { owner, repo: name } } })}
    >
      <p>{text.refuseHint}</p>
    </ConfirmButton>
  );
}

/** All push mirrors of a repository. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/push-mirrors.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { PushMirrorFields, pushMirrorOf } from "./push-mirror-fields.tsx";
import { PushMirrorStatus } from "./push-mirror-status.tsx";

export function PushMirrorsPage() {
  const { full_name: fullName, archived } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["push-mirrors", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/push-mirrors", { params: { path, query } }),
  );
  return (
    <Page title={text.title} within={fullName} lead={text.lead} actions={archived ? null : <AddMirror />}>
      <p>
        <a href="/docs/push-mirrors">{text.docs}</a>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          {
            title: text.target,
            wide: true,
            cell: ({ id, url }) => <Link to={`/${fullName}/settings/push-mirrors/${id}`}>{url}</Link>,
          },
          { title: text.status, cell: ({ status }) => <PushMirrorStatus status={status} /> },
          {
            title: text.lastSuccess,
            cell: ({ last_success_at: at }) => (at === null ? text.never : <Time at={at} />),
          },
          { title: text.lastError, wide: true, cell: ({ last_sync: last }) => last?.error ?? "–" },
        ]}
      />
    </Page>
  );
}

function AddMirror() {
  const path = useRepositoryPath();
  return (
    <FormButton
      label={text.add}
      title={text.add}
      kind="primary"
      said={text.added}
      run={(values) =>
        api.POST("/repos/{owner}/{repo}/push-mirrors", { params: { path }, body: pushMirrorOf(values) })
      }
    >
      {(problems) => <PushMirrorFields problems={problems} />}
    </FormButton>
  );
}

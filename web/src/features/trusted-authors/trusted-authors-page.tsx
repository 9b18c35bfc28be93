/** Whose merge requests from forks run without being asked about. They are added where a run is approved. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text as words } from "../../text/repository-settings.ts";
import { text } from "../../text/trusted-authors.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

export function TrustedAuthorsPage() {
  const { full_name: fullName } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["trusted-authors", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/trusted-authors", { params: { path, query } }),
  );
  return (
    <Page title={text.title} within={fullName} lead={text.lead}>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ user }) => user.id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          {
            title: text.author,
            wide: true,
            cell: ({ user }) => <Link to={`/${user.username}`}>{user.username}</Link>,
          },
          { title: text.by, cell: (row) => row.trusted_by?.username ?? text.nobody },
          { title: text.until, cell: (row) => <Time at={row.expires_at} /> },
          { title: "", label: words.actions, cell: ({ user }) => <Remove username={user.username} /> },
        ]}
      />
    </Page>
  );
}

function Remove({ username }: { username: string }) {
  const path = { ...useRepositoryPath(), username };
  return (
    <ConfirmButton
      label={words.remove}
      name={words.removeName(username)}
      title={text.remove(username)}
      said={words.removed(username)}
      run={() => api.DELETE("/repos/{owner}/{repo}/trusted-authors/{username}", { params: { path } })}
    >
      <p>{text.removeHint}</p>
    </ConfirmButton>
  );
}

/** Who has access to a repository of their own. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/repository-settings.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Person } from "../../ui/person.tsx";
import { ChoiceInRow } from "../../ui/choice-in-row.tsx";
import { Time } from "../../ui/time.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { LevelOptions, levelOf } from "./level-options.tsx";

export function CollaboratorsPage() {
  const { full_name: fullName } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["collaborators", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/collaborators", { params: { path, query } }),
  );
  return (
    <Page
      title={text.collaborators}
      within={fullName}
      lead={text.collaboratorsLead}
      actions={<AddCollaborator />}
    >
      <PagedTable
        pages={pages}
        caption={text.collaborators}
        keyOf={({ user }) => user.id}
        empty={<EmptyState title={text.noCollaborators}>{text.noCollaboratorsHint}</EmptyState>}
        columns={[
          { title: text.person, wide: true, cell: ({ user }) => <Person user={user} /> },
          { title: text.level, cell: (row) => <Level collaborator={row} /> },
          { title: text.since, cell: (row) => <Time at={row.created_at} /> },
          { title: "", label: text.actions, cell: (row) => <Remove username={row.user.username} /> },
        ]}
      />
    </Page>
  );
}

function AddCollaborator() {
  const path = useRepositoryPath();
  return (
    <FormButton
      label={text.addCollaborator}
      title={text.addCollaborator}
      submit={text.add}
      absent={{ username: text.noSuchPerson }}
      kind="primary"
      run={(values) =>
        api.PUT("/repos/{owner}/{repo}/collaborators/{username}", {
          params: { path: { ...path, username: (values["username"] ?? "").trim() } },
          body: { permission: levelOf(values["permission"]) },
        })
      }
    >
      {(problems) => (
        <>
          <TextField
            name="username"
            label={text.userName}
            hint={text.botHint}
            required
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            problem={problems["username"]}
          />
          <SelectField
            name="permission"
            label={text.level}
            defaultValue="write"
            problem={problems["permission"]}
          >
            <LevelOptions />
          </SelectField>
        </>
      )}
    </FormButton>
  );
}

function Level({ collaborator: { user, permission } }: { collaborator: Schemas["Collaborator"] }) {
  const path = useRepositoryPath();
  return (
    <ChoiceInRow
      label={text.levelOf(user.username)}
      value={permission}
      choices={text.levels}
      run={(value) =>
        api.PUT("/repos/{owner}/{repo}/collaborators/{username}", {
          params: { path: { ...path, username: user.username } },
          body: { permission: levelOf(value) },
        })
      }
      said={text.saved}
    />
  );
}

function Remove({ username }: { username: string }) {
  const path = useRepositoryPath();
  return (
    <ConfirmButton
      label={text.remove}
      name={text.removeName(username)}
      title={text.removeCollaborator(username)}
      said={text.removed(username)}
      run={() =>
        api.DELETE("/repos/{owner}/{repo}/collaborators/{username}", {
          params: { path: { ...path, username } },
        })
      }
    >
      <p>{text.removeCollaboratorHint}</p>
    </ConfirmButton>
  );
}

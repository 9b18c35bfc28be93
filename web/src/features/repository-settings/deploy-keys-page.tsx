/** SSH keys of machines that reach one repository. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/repository-settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CheckField, TextArea, TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./deploy-keys-page.module.css";

export function DeployKeysPage() {
  const { full_name: fullName, archived } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["deploy-keys", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/deploy-keys", { params: { path, query } }),
  );
  return (
    <Page
      title={text.deployKeys}
      within={fullName}
      lead={text.deployKeysLead}
      actions={archived ? null : <AddKey />}
    >
      <PagedTable
        pages={pages}
        caption={text.deployKeys}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noDeployKeys}>{text.noDeployKeysHint}</EmptyState>}
        columns={[
          {
            title: text.title,
            wide: true,
            cell: (key) => (
              <div className={styles.key}>
                <span>{key.title}</span>
                <code>{key.fingerprint}</code>
              </div>
            ),
          },
          {
            title: text.level,
            cell: ({ permission }) => (
              <Badge tone={permission === "write" ? "warn" : "plain"}>{text.keyAccess[permission]}</Badge>
            ),
          },
          { title: text.addedBy, cell: (key) => key.added_by ?? "–" },
          {
            title: text.used,
            cell: (key) => (key.last_used_at ? <Time at={key.last_used_at} /> : text.never),
          },
          { title: "", label: text.actions, cell: (key) => <RemoveKey deployKey={key} /> },
        ]}
      />
    </Page>
  );
}

function AddKey() {
  const path = useRepositoryPath();
  return (
    <FormButton
      label={text.addDeployKey}
      title={text.addDeployKey}
      submit={text.add}
      kind="primary"
      run={(values) => {
        const { title = "" } = values;
        return api.POST("/repos/{owner}/{repo}/deploy-keys", {
          params: { path },
          body: {
            key: values["key"] ?? "",
            permission: values["write"] === undefined ? "read" : "write",
            ...(title === "" ? {} : { title }),
          },
        });
      }}
    >
      {(problems) => (
        <>
          <TextArea
            name="key"
            label={text.key}
            hint={text.keyHint}
            required
            maxLength={16_384}
            spellCheck={false}
            problem={problems["key"]}
          />
          <TextField
            name="title"
            label={text.title}
            hint={text.titleHint}
            maxLength={100}
            problem={problems["title"]}
          />
          <CheckField name="write" label={text.mayPush} hint={text.mayPushHint} />
        </>
      )}
    </FormButton>
  );
}

function RemoveKey({ deployKey }: { deployKey: Schemas["DeployKey"] }) {
  const path = { ...useRepositoryPath(), id: deployKey.id };
  return (
    <ConfirmButton
      label={text.remove}
      name={text.removeName(deployKey.title)}
      title={text.removeKey(deployKey.title)}
      said={text.removed(deployKey.title)}
      run={() => api.DELETE("/repos/{owner}/{repo}/deploy-keys/{id}", { params: { path } })}
    >
      <p>{text.removeKeyHint}</p>
    </ConfirmButton>
  );
}

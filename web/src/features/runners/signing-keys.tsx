/** The keys that sign the jobs of the instance or of a repository, below its runners. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/signing-keys.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Time } from "../../ui/time.tsx";
import { nameOf } from "./use-runners.ts";

/** Null: of the instance. */
export type KeysOf = { owner: string; repo: string } | null;

export function SigningKeys({ of, mayCreate }: { of: KeysOf; mayCreate: boolean }) {
  const pages = usePages(["signing-keys", nameOf(of) ?? ""], (query) =>
    of === null
      ? api.GET("/signing-keys", { params: { query } })
      : api.GET("/repos/{owner}/{repo}/signing-keys", { params: { path: of, query } }),
  );
  return (
    <Section title={text.title} lead={text.lead} actions={mayCreate ? <AddKey of={of} /> : null}>
      <p>
        <a href="/docs/operations/signed-jobs">{text.docs}</a>
      </p>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.none}>{text.noneHint}</EmptyState>}
        columns={[
          { title: text.key, wide: true, cell: (key) => <code>{key.trusted_line}</code> },
          { title: text.createdBy, cell: (key) => key.created_by ?? "–" },
          { title: text.created, cell: (key) => <Time at={key.created_at} /> },
          { title: "", label: text.actions, cell: (key) => <RemoveKey of={of} signingKey={key} /> },
        ]}
      />
    </Section>
  );
}

function AddKey({ of }: { of: KeysOf }) {
  return (
    <ConfirmButton
      label={text.add}
      title={text.addTitle}
      kind="normal"
      said={text.added}
      run={() =>
        of === null
          ? api.POST("/signing-keys")
          : api.POST("/repos/{owner}/{repo}/signing-keys", { params: { path: of } })
      }
    >
      <p>{text.addHint}</p>
    </ConfirmButton>
  );
}

function RemoveKey({ of, signingKey: { id } }: { of: KeysOf; signingKey: Schemas["SigningKey"] }) {
  return (
    <ConfirmButton
      label={text.remove}
      name={text.removeName(id)}
      title={text.removeTitle}
      said={text.removed}
      run={() =>
        of === null
          ? api.DELETE("/signing-keys/{id}", { params: { path: { id } } })
          : api.DELETE("/repos/{owner}/{repo}/signing-keys/{id}", { params: { path: { ...of, id } } })
      }
    >
      <p>{text.removeHint}</p>
    </ConfirmButton>
  );
}

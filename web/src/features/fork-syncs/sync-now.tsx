/** Syncs a fork after it was shown what will change. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/fork-syncs.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { SyncProblem } from "./sync-problem.tsx";

type ForkSync = Schemas["ForkSync"];
type ForkBranch = Schemas["ForkBranch"];

interface Props {
  standing: Schemas["ForkStanding"];
  mayWrite: boolean;
}

export function SyncNow({ standing: { branch, behind, ahead }, mayWrite }: Props) {
  const path = useRepositoryPath();
  const [seen, setSeen] = useState<ForkSync>();
  const look = useChange(
    (only: string | null) =>
      api.POST("/repos/{owner}/{repo}/sync", {
        params: { path },
        body: { dry_run: true, ...(only === null ? {} : { branch: only }) },
      }),
    { onDone: ({ data }) => setSeen(data) },
  );
  const known = behind !== null && ahead !== null;
  return (
    <>
      {known ? <p>{text.branchStanding(branch, text.standing({ behind, ahead }))}</p> : null}
      {mayWrite ? (
        <RowActions>
          <Button
            kind="primary"
            busy={look.isPending && look.variables === branch}
            onClick={() => look.mutate(branch)}
          >
            {text.previewBranch(branch)}
          </Button>
          <Button busy={look.isPending && look.variables === null} onClick={() => look.mutate(null)}>
            {text.previewAll}
          </Button>
        </RowActions>
      ) : null}
      {look.error ? <SyncProblem error={look.error} /> : null}
      {seen && !look.error ? <Confirm seen={seen} onClose={() => setSeen(undefined)} /> : null}
    </>
  );
}

const moves = ({ before, behind }: ForkBranch) => before === null || behind > 0;

function happens({ before, ahead }: ForkBranch): string {
  if (before === null) return text.created;
  return ahead > 0 ? text.merge : text.fastForward;
}

function Confirm({ seen, onClose }: { seen: ForkSync; onClose: () => void }) {
  const path = useRepositoryPath();
  const sync = useChange(
    () =>
      api.POST("/repos/{owner}/{repo}/sync", {
        params: { path },
        body: { dry_run: false, ...(seen.branch === null ? {} : { branch: seen.branch }) },
      }),
    {
      onDone({ data }) {
        onClose();
        showToast(data?.finished_at === null ? text.later : text.done);
      },
    },
  );
  const changed = seen.branches.filter(moves);
  if (changed.length === 0) return <p role="status">{text.nothing}</p>;
  return (
    <Section title={text.preview}>
      <Table
        caption={text.preview}
        rows={changed}
        keyOf={({ name }) => name}
        columns={[
          { title: text.branch, wide: true, cell: ({ name }) => name },
          { title: text.behind, align: "end", cell: ({ behind }) => String(behind) },
          { title: text.ahead, align: "end", cell: ({ ahead }) => String(ahead) },
          { title: text.outcome, cell: happens },
        ]}
      />
      {sync.error ? <SyncProblem error={sync.error} /> : null}
      <RowActions>
        <Button kind="primary" busy={sync.isPending} onClick={() => sync.mutate(undefined)}>
          {text.confirm}
        </Button>
        <Button onClick={onClose}>{text.cancel}</Button>
      </RowActions>
    </Section>
  );
}

/** Refs that a sync changed or would change. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/mirrors.ts";
import { Table } from "../../ui/table.tsx";

type Change = Schemas["MirrorRefChange"];

const shown = 100;

export function RefChanges({ refs, total }: { refs: readonly Change[]; total: number }) {
  if (total === 0) return null;
  const listed = refs.slice(0, shown);
  return (
    <>
      <Table
        caption={text.changes}
        rows={listed}
        keyOf={({ ref }) => ref}
        columns={[
          { title: text.ref, wide: true, cell: ({ ref }) => <code>{ref}</code> },
          { title: text.change, cell: ({ change }) => text.changeOf[change] },
          { title: text.before, cell: ({ before }) => <Id id={before} /> },
          { title: text.after, cell: ({ after }) => <Id id={after} /> },
        ]}
      />
      {total > listed.length ? <p>{text.more(total - listed.length)}</p> : null}
    </>
  );
}

/** Whole, so that it can be searched for: what was before may have no other name any more. */
function Id({ id }: { id: string | null }) {
  return id === null ? "–" : <code title={id}>{id.slice(0, 10)}</code>;
}

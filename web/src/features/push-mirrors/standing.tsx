/** What is wrong with a push mirror, if something is. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/push-mirrors.ts";
import { Notice } from "../../ui/notice.tsx";
import { Table } from "../../ui/table.tsx";

type PushMirror = Schemas["PushMirror"];

const pausedHints = {
  transferred: text.transferredHint,
  restored: text.restoredHint,
} satisfies Record<NonNullable<PushMirror["disabled_reason"]>, string>;

export function Standing({ mirror }: { mirror: PushMirror }) {
  const { disabled_reason: reason, diverged_count: diverged } = mirror;
  if (!mirror.enabled)
    return (
      <Notice tone="warn" title={text.pausedTitle}>
        {reason === null ? text.pausedHint : pausedHints[reason]}
      </Notice>
    );
  if (diverged > 0) return <Diverged mirror={mirror} />;
  if (mirror.status !== "failing") return null;
  return (
    <Notice tone="bad" title={text.failingTitle}>
      {mirror.last_sync?.error} {text.failingHint}
    </Notice>
  );
}

function Diverged({ mirror: { diverged, diverged_count: count } }: { mirror: PushMirror }) {
  const more = count - diverged.length;
  return (
    <>
      <Notice tone="bad" title={text.divergedTitle}>
        {text.divergedHint}
      </Notice>
      <Table
        caption={text.divergedTitle}
        rows={diverged}
        keyOf={({ ref }) => ref}
        columns={[
          { title: text.ref, wide: true, cell: ({ ref }) => <code>{ref}</code> },
          {
            title: text.here,
            cell: ({ here }) =>
              here === null ? text.deletedHere : <code title={here}>{here.slice(0, 10)}</code>,
          },
          { title: text.there, cell: ({ there }) => <code title={there}>{there.slice(0, 10)}</code> },
        ]}
      />
      {more > 0 ? <p>{text.divergedMore(more)}</p> : null}
    </>
  );
}

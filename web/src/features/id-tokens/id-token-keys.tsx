/** The keys that sign identity tokens of jobs, and their replacement. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { text } from "../../text/id-tokens.ts";
import { Badge } from "../../ui/badge.tsx";
import { FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CheckField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

type Key = Schemas["IdTokenKey"];

const tones = { next: "info", current: "good", earlier: "plain", withdrawn: "warn" } as const;

export function IdTokenKeys() {
  const keys = $api.useQuery("get", "/admin/id-token-keys");
  return (
    <Section title={text.title} lead={text.lead} actions={<Rotate />}>
      <QueryView query={keys}>{(found) => <Keys keys={found.keys} />}</QueryView>
    </Section>
  );
}

function Rotate() {
  return (
    <FormButton
      label={text.rotate}
      title={text.rotateTitle}
      lead={text.rotateHint}
      said={text.rotated}
      run={(values) =>
        api.POST("/admin/id-token-keys/rotate", {
          body: { withdraw_earlier: values["withdraw"] !== undefined },
        })
      }
    >
      {() => <CheckField name="withdraw" label={text.withdraw} hint={text.withdrawHint} />}
    </FormButton>
  );
}

function Keys({ keys }: { keys: readonly Key[] }) {
  if (keys.length === 0) return <EmptyState title={text.none} />;
  return (
    <Table
      caption={text.title}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { title: text.id, wide: true, cell: ({ id }) => <code>{id}</code> },
        { title: text.state, cell: ({ state }) => <Badge tone={tones[state]}>{text.states[state]}</Badge> },
        { title: text.created, cell: ({ created_at: at }) => <Time at={at} /> },
        { title: text.from, cell: ({ current_from: at }) => <Time at={at} /> },
      ]}
    />
  );
}

/** Rate limits: those that an organization gives, and one's own with what is used of them. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/storage.ts";
import { Section } from "../../ui/page.tsx";
import { formatCount } from "../../ui/size.ts";
import { Table } from "../../ui/table.tsx";
import { UsageBar } from "../../ui/usage-bar.tsx";

export function OrganizationLimitsSection({ limits }: { limits: readonly Schemas["AccountLimit"][] }) {
  return (
    <Section title={text.limits} lead={text.organizationLimitsHint}>
      <Table
        caption={text.limits}
        rows={limits}
        keyOf={({ resource }) => resource}
        columns={[
          { title: text.kind, cell: ({ resource }) => text.kinds[resource] },
          {
            title: text.limit,
            cell: ({ limit, window_seconds: seconds }) =>
              limit === 0 ? text.noLimit : text.perWindow(formatCount(limit), seconds),
          },
          { title: text.setBy, cell: ({ custom }) => (custom ? text.custom : text.ofInstance) },
        ]}
      />
    </Section>
  );
}

export function OwnLimitsSection({ limitStatus }: { limitStatus: readonly Schemas["RateLimitStatus"][] }) {
  return (
    <Section title={text.limits} lead={text.ownLimitsHint}>
      {limitStatus.length === 0 ? <p>{text.noLimits}</p> : null}
      {limitStatus.map(({ resource, used, limit, window_seconds: seconds }) => (
        <UsageBar
          key={resource}
          label={text.kinds[resource]}
          used={used}
          limit={limit}
          format={formatCount}
          hint={text.countedBy(seconds)}
        />
      ))}
    </Section>
  );
}

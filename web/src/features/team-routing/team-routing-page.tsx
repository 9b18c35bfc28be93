/** Where notifications of a team go: seen by its members, changed by those who manage it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text as times } from "../../text/notification-settings.ts";
import { text } from "../../text/team-routing.ts";
import { Facts } from "../../ui/facts.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TeamTabs } from "../organizations/team-tabs.tsx";
import { useMayManage } from "../organizations/use-may-manage.ts";
import { RoutingForm } from "./routing-form.tsx";

type Routing = Schemas["TeamRouting"];
type Rule = Schemas["RoutingRule"];

export function TeamRoutingPage({ org, team }: { org: string; team: string }) {
  const mayManage = useMayManage(team);
  const routing = $api.useQuery("get", "/orgs/{org}/teams/{team}/routing", {
    params: { path: { org, team } },
  });
  return (
    <Page title={text.title} within={`${org}/${team}`} heading={text.titleOf(team)} lead={text.lead}>
      <TeamTabs {...{ org, team }} />
      <QueryView query={routing}>
        {(known) => (mayManage ? <RoutingForm {...{ org, team, known }} /> : <Shown known={known} />)}
      </QueryView>
    </Page>
  );
}

function Shown({ known }: { known: Routing }) {
  const { rules, address } = known;
  return (
    <Facts
      facts={[
        ...rules.map((rule, index) => ({ name: text.rule(index + 1), value: sentenceOf(rule) })),
        ...(rules.length === 0 ? [{ name: text.rules, value: text.noRules }] : []),
        {
          name: text.address,
          value: address ? `${address.email} (${text.states[address.state]})` : text.noAddress,
        },
        { name: text.sending, value: times.digests[known.digest] },
      ]}
    />
  );
}

function sentenceOf({ to, events, repositories }: Rule): string {
  return [
    text.targets[to],
    ...(events ?? []).map((event) => text.event[event]),
    repositories?.join(", ") ?? text.everywhere,
  ].join(" · ");
}

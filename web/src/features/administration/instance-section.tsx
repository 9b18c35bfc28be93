/** The instance in numbers: which version it is, and how much there is of what. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, $api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";
import { text } from "../../text/administration.ts";
import { Facts } from "../../ui/facts.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { formatBytes, formatCount } from "../../ui/size.ts";

export function InstanceSection() {
  const meta = $api.useQuery("get", "/meta");
  const storage = $api.useQuery("get", "/admin/storage");
  const totals = useTotals().data;
  const count = (value: number | undefined) => (value === undefined ? "…" : formatCount(value));
  const kept = storage.data;
  return (
    <Section title={text.instance}>
      {totals && totals.damaged > 0 ? (
        <Notice tone="bad" title={text.damagedTitle(formatCount(totals.damaged))}>
          {text.damagedHint} <Link to="/-/admin/maintenance?state=damaged">{text.maintenance}</Link>
        </Notice>
      ) : null}
      <Facts
        facts={[
          { name: text.version, value: meta.data?.version ?? "…" },
          { name: text.users, value: <Link to="/-/admin/users">{count(totals?.users)}</Link> },
          {
            name: text.organizations,
            value: <Link to="/-/admin/organizations">{count(totals?.organizations)}</Link>,
          },
          { name: text.repositories, value: count(kept?.repositories.count) },
          { name: text.runners, value: <Link to="/runners">{count(totals?.runners)}</Link> },
          {
            name: text.storage,
            value: <Link to="/-/admin/storage">{kept ? formatBytes(kept.total_bytes) : "…"}</Link>,
          },
        ]}
      />
    </Section>
  );
}

function useTotals() {
  return useQuery({
    queryKey: ["administration", "totals"],
    queryFn: async ({ signal }) => {
      const query = { per_page: 1 };
      const [users, organizations, runners, damaged] = await Promise.all([
        api.GET("/admin/users", { params: { query }, signal }),
        api.GET("/admin/organizations", { params: { query }, signal }),
        api.GET("/runners", { params: { query }, signal }),
        api.GET("/admin/maintenance", { params: { query: { ...query, state: "damaged" } }, signal }),
      ]);
      return {
        users: totalOf(users.response),
        organizations: totalOf(organizations.response),
        runners: totalOf(runners.response),
        damaged: totalOf(damaged.response),
      };
    },
  });
}

/** What administration stands in. For others than administrators it is not there. */
import { Outlet } from "react-router";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/administration.ts";
import { text as keys } from "../../text/keys.ts";
import { text as pipelineLimits } from "../../text/pipeline-limits.ts";
import { text as privileges } from "../../text/privileges.ts";
import { text as secrets } from "../../text/secrets.ts";
import { text as work } from "../../text/background-work.ts";
import { text as runStatistics } from "../../text/run-statistics.ts";
import { text as variables } from "../../text/variables.ts";
import { NotFound } from "../../ui/not-found.tsx";
import { SideLayout } from "../../ui/side-layout.tsx";

export const administrationLinks = [
  { to: "/-/admin", label: text.health, exact: true },
  { to: "/-/admin/users", label: text.users },
  { to: "/-/admin/organizations", label: text.organizations },
  { to: "/-/admin/statistics", label: runStatistics.title },
  { to: "/-/admin/storage", label: text.storage },
  { to: "/-/admin/maintenance", label: text.maintenance },
  { to: "/-/admin/work", label: work.title },
  { to: "/-/admin/announcements", label: text.announcements },
  { to: "/-/admin/mails", label: text.mails },
  { to: "/-/admin/variables", label: variables.title },
  { to: "/-/admin/secrets", label: secrets.title },
  { to: "/-/admin/privileged-jobs", label: privileges.title },
  { to: "/-/admin/pipeline-limits", label: pipelineLimits.title },
  { to: "/-/admin/keys", label: keys.title },
  { to: "/-/admin/audit-log", label: text.auditLog },
  { to: "/-/admin/settings", label: text.settings },
];

export function AdministrationLayout() {
  if (useSession()?.user.admin !== true) return <NotFound />;
  return (
    <SideLayout label={text.administration} title={text.administration} links={administrationLinks}>
      <Outlet />
    </SideLayout>
  );
}

/** What pipelines may have at most on the instance. */
import { api, $api } from "../../api/client.ts";
import { text as administration } from "../../text/administration.ts";
import { text } from "../../text/pipeline-limits.ts";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { LimitsDocs } from "./limits-docs.tsx";
import { LimitsForm } from "./limits-form.tsx";

export function InstanceLimitsPage() {
  const query = $api.useQuery("get", "/admin/pipeline-limits");
  return (
    <Page title={text.title} within={administration.administration} lead={text.lead}>
      <LimitsDocs />
      <QueryView query={query}>
        {({ limits }) => (
          <LimitsForm
            limits={limits}
            level="instance"
            set={(body) => api.PUT("/admin/pipeline-limits", { body })}
          />
        )}
      </QueryView>
    </Page>
  );
}

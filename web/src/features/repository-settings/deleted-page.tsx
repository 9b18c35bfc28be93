/** After a repository was deleted: brings it back. */
import { useNavigate, useParams } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/repository-settings.ts";
import { Form } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";

export function DeletedPage() {
  const { owner = "", repo = "" } = useParams();
  const navigate = useNavigate();
  const fullName = `${owner}/${repo}`;
  const restore = useChange(
    () => api.POST("/repos/{owner}/{repo}/restore", { params: { path: { owner, repo } } }),
    { said: text.restored(fullName), onDone: () => navigate(`/${fullName}`) },
  );
  return (
    <Page title={text.deletedTitle(fullName)} lead={text.deletedLead}>
      <Form submit={text.restore} state={restore} onSubmit={() => restore.mutate(undefined)}>
        {null}
      </Form>
    </Page>
  );
}

/** What others see of oneself. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { queryClient } from "../../api/query-client.ts";
import { sessionKey, useSignedIn } from "../../api/session.ts";
import { profile as words, text } from "../../text/settings.ts";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";

export function ProfilePage() {
  const { user } = useSignedIn();
  const change = useChange((body: { name: string; email_public: boolean }) => api.PATCH("/user", { body }), {
    said: text.saved,
    onDone: () => queryClient.invalidateQueries({ queryKey: sessionKey }),
  });
  return (
    <Page
      title={text.profile}
      within={text.menu}
      lead={words.lead}
      actions={<Link to={`/${user.username}`}>{words.page}</Link>}
    >
      <Form
        submit={text.save}
        state={change}
        onSubmit={(values) =>
          change.mutate({
            name: (values["name"] ?? "").trim(),
            email_public: values["email_public"] !== undefined,
          })
        }
      >
        <TextField label={words.username} hint={words.usernameHint} value={user.username} readOnly />
        <TextField
          name="name"
          label={words.name}
          hint={words.nameHint}
          problem={fieldProblems(change.error)["name"]}
          defaultValue={user.name}
          autoComplete="name"
          maxLength={100}
        />
        <CheckField
          name="email_public"
          label={user.email === "" ? words.noEmail : words.email(user.email)}
          hint={words.emailHint}
          defaultChecked={user.email_public}
        />
      </Form>
    </Page>
  );
}

/** Changes the password, which ends every session: the page then leads to the sign-in. */
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { setHasSession } from "../../api/connection.ts";
import { fieldProblems } from "../../api/problem.ts";
import { queryClient } from "../../api/query-client.ts";
import { sessionKey, useSignedIn } from "../../api/session.ts";
import { password as words, text } from "../../text/settings.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { NewPasswordField } from "../../ui/new-password-field.tsx";
import { Page } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";

export function PasswordPage() {
  const { user } = useSignedIn();
  const change = useChange(
    (body: { current_password: string; password: string }) => api.PUT("/user/password", { body }),
    {
      said: words.said,
      onDone: () => {
        // No surprise that is told above the page.
        setHasSession(false);
        return queryClient.invalidateQueries({ queryKey: sessionKey });
      },
    },
  );
  const problems = fieldProblems(change.error);
  return (
    <Page title={text.password} within={text.menu} lead={words.lead}>
      <Form
        submit={words.submit}
        state={change}
        onSubmit={(values) =>
          change.mutate({
            current_password: values["current_password"] ?? "",
            password: values["password"] ?? "",
          })
        }
      >
        {/* For who keeps passwords: whose it is. */}
        <input type="hidden" autoComplete="username" value={user.username} readOnly />
        <TextField
          name="current_password"
          type="password"
          label={words.current}
          problem={problems["current_password"]}
          autoComplete="current-password"
          required
        />
        <NewPasswordField label={words.next} problem={problems["password"]} />
      </Form>
      <p>
        {words.none} <Link to="/-/forgotten-password">{words.mail}</Link>
      </p>
    </Page>
  );
}

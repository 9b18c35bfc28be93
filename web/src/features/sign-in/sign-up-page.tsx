/** Makes an account and signs in with it; where sign-up is closed, says what to do instead. */
import { useMutation } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { $api, api } from "../../api/client.ts";
import { setHasSession } from "../../api/connection.ts";
import { fieldProblems } from "../../api/problem.ts";
import { startSession, useSession } from "../../api/session.ts";
import { text } from "../../text/sign-in.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { NewPasswordField } from "../../ui/new-password-field.tsx";
import { useTitle } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { SignInLayout } from "./sign-in-layout.tsx";
import { ContinueToNext } from "./continue-to-next.tsx";
import { withNextParameter } from "./sign-in-page.tsx";

export function SignUpPage() {
  const session = useSession();
  const [query] = useSearchParams();
  const next = query.get("next");
  const instance = $api.useQuery("get", "/meta", {}, { staleTime: 60_000 });
  if (session) return <ContinueToNext next={next} />;
  return (
    <QueryView query={instance}>
      {({ sign_up_open: isOpen }) =>
        isOpen ? (
          <SignInLayout
            title={text.signUpTitle}
            lead={text.signUpLead}
            links={
              <p>
                {text.hasAccount} <Link to={withNextParameter("/login", next)}>{text.submit}</Link>
              </p>
            }
          >
            <SignUpForm />
          </SignInLayout>
        ) : (
          <Closed next={next} />
        )
      }
    </QueryView>
  );
}

function Closed({ next }: { next: string | null }) {
  useTitle(text.closedTitle);
  return (
    <EmptyState
      whole
      title={text.closedTitle}
      action={<Link to={withNextParameter("/login", next)}>{text.toSignIn}</Link>}
    >
      {text.closed}
    </EmptyState>
  );
}

function SignUpForm() {
  const signUp = useMutation({
    mutationFn: async (body: { username: string; password: string; email: string; name: string }) => {
      await api.POST("/users", { body });
      await api.POST("/user/sessions", { body: { username: body.username, password: body.password } });
    },
    onSuccess: async (_made, { email }) => {
      showToast(text.signUpDone(email));
      await startSession();
      setHasSession(true);
    },
  });
  const problems = fieldProblems(signUp.error);
  return (
    <Form
      submit={text.signUpSubmit}
      state={signUp}
      onSubmit={(values) =>
        signUp.mutate({
          username: (values["username"] ?? "").trim(),
          password: values["password"] ?? "",
          email: (values["email"] ?? "").trim(),
          name: (values["name"] ?? "").trim(),
        })
      }
    >
      <TextField
        name="username"
        label={text.newUsername}
        hint={text.newUsernameHint}
        problem={problems["username"]}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={100}
        required
        autoFocus
      />
      <TextField
        name="email"
        type="email"
        label={text.email}
        hint={text.emailHint}
        problem={problems["email"]}
        autoComplete="email"
        required
      />
      <TextField
        name="name"
        label={text.name}
        hint={text.nameHint}
        problem={problems["name"]}
        autoComplete="name"
        maxLength={100}
      />
      <NewPasswordField problem={problems["password"]} />
    </Form>
  );
}

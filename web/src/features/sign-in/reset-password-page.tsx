/** Sets a new password with the code of a mail. Where the mail's link was followed, the code is there already. */
import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/sign-in.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { NewPasswordField } from "../../ui/new-password-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CodeField } from "./code-field.tsx";
import { useCodeOfAddress } from "./code-of-address.ts";
import { SignInLayout } from "./sign-in-layout.tsx";

export function ResetPasswordPage() {
  const code = useCodeOfAddress();
  const reset = useMutation({
    mutationFn: (body: { token: string; password: string }) =>
      api.POST("/password-resets/completions", { body }),
  });
  const problems = fieldProblems(reset.error);
  if (reset.isSuccess)
    return (
      <SignInLayout title={text.resetTitle}>
        <Notice tone="good">{text.resetDone}</Notice>
        <div>
          <ButtonLink to="/login" kind="primary">
            {text.submit}
          </ButtonLink>
        </div>
      </SignInLayout>
    );
  return (
    <SignInLayout
      title={text.resetTitle}
      lead={text.resetLead}
      links={
        <p>
          {text.noCode} <Link to="/-/forgotten-password">{text.askCode}</Link>
        </p>
      }
    >
      <Form
        submit={text.resetSubmit}
        state={reset}
        onSubmit={(values) =>
          reset.mutate({ token: (values["token"] ?? "").trim(), password: values["password"] ?? "" })
        }
      >
        <CodeField code={code} problem={problems["token"]} />
        <NewPasswordField problem={problems["password"]} autoFocus={code !== ""} />
      </Form>
    </SignInLayout>
  );
}

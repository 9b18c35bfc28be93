/** Asks for the mail that brings a code. The answer is the same whether or not the address is known. */
import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/sign-in.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SignInLayout } from "./sign-in-layout.tsx";

export function ForgottenPasswordPage() {
  const ask = useMutation({
    mutationFn: (email: string) => api.POST("/password-resets", { body: { email } }),
  });
  return (
    <SignInLayout
      title={text.forgotTitle}
      lead={text.forgotLead}
      links={
        <>
          <p>
            {text.haveCode} <Link to="/reset-password">{text.enterCode}</Link>
          </p>
          <p>
            <Link to="/login">{text.toSignIn}</Link>
          </p>
        </>
      }
    >
      {ask.isSuccess ? (
        <Notice tone="good">{text.forgotDone(ask.variables)}</Notice>
      ) : (
        <Form
          submit={text.forgotSubmit}
          state={ask}
          onSubmit={(values) => ask.mutate((values["email"] ?? "").trim())}
        >
          <TextField
            name="email"
            type="email"
            label={text.email}
            problem={fieldProblems(ask.error)["email"]}
            autoComplete="email"
            required
            autoFocus
          />
        </Form>
      )}
    </SignInLayout>
  );
}

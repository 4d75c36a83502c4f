import { useEffect, useState } from "react";
import { AccountArea, type GuestTexts } from "./account/account-area.tsx";
import { getAccountSession } from "./account/account-session.ts";
import { SignInAgain } from "./account/sign-in/sign-in-again.tsx";
import { usePage } from "./ui/page-context.tsx";

const TEXTS = {
  en: () => import("./account/guest-texts-en.ts"),
  tr: () => import("./account/guest-texts-tr.ts"),
};

interface VoiceSignInAgainProps {
  username: string;
  /** False: the person would not, or its texts didn't come. */
  onEnd: (isSignedIn: boolean) => void;
}

/** The account's own question for the password, over a screen of voice whose session has ended. */
export function VoiceSignInAgain({ username, onEnd }: VoiceSignInAgainProps) {
  const { lang } = usePage();
  const [texts, setTexts] = useState<GuestTexts>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once
  useEffect(() => {
    TEXTS[lang]()
      .then((loaded) => setTexts(loaded.texts))
      .catch((error: unknown) => {
        console.warn("The question for the password could not be loaded.", error);
        onEnd(false);
      });
  }, [lang]);
  if (!texts) return null;
  return (
    <AccountArea texts={texts}>
      <SignInAgain
        username={username}
        getSession={getAccountSession}
        onSignedIn={() => onEnd(true)}
        onCancel={() => onEnd(false)}
      />
    </AccountArea>
  );
}

import { useAccountText } from "../../account-text.tsx";

/** Specification A 2.10: nothing of it is counted, and each says so by a dash. */
export function StatsCard() {
  const t = useAccountText();
  return (
    <section className="side-card" aria-labelledby="profile-stats">
      <h2 id="profile-stats">{t("profile:card.stats")}</h2>
      <dl className="stats">
        {(["posts", "followers", "following"] as const).map((name) => (
          <div key={name}>
            <dt>{t(`profile:card.${name}`)}</dt>
            <dd>
              <span aria-hidden="true">—</span>
              <span className="visually-hidden">{t("profile:card.notCounted")}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

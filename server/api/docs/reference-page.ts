import { framePage } from './page-frame.ts';

/** The form keeps the credentials in the memory of the page and nowhere else. */
const credentialsForm = `
    <dialog id="credentials" aria-labelledby="credentials-title">
      <form method="dialog" autocomplete="off">
        <h2 id="credentials-title">Credentials for trying it out</h2>
        <p class="note">They stay in the memory of this page until it is closed or loaded again.</p>
        <p class="warning" id="refused" hidden>The last request with these was answered with 401.</p>
        <fieldset data-contract="warehouse">
          <legend>Warehouse API</legend>
          <label>account-no <input name="account-no" autocomplete="off" spellcheck="false"></label>
          <label>Shared secret <input name="shared-secret" type="password" autocomplete="off"></label>
          <p class="note">The page signs each request with the secret. The secret itself is never sent.</p>
          <p class="warning" id="cannot-sign" hidden>
            This page cannot sign: a browser has the cryptography for it only where the page came by https, or from localhost. Open it so.
          </p>
        </fieldset>
        <fieldset data-contract="main">
          <legend>Main API</legend>
          <label>Access token <input name="access-token" type="password" autocomplete="off"></label>
          <p class="note">Or try <em>Get an access token</em> first: the token that it answers is used from then on.</p>
        </fieldset>
        <fieldset data-contract="logistics">
          <legend>Logistics webhook</legend>
          <label>API key <input name="api-key" type="password" autocomplete="off"></label>
        </fieldset>
        <menu>
          <button value="cancel" type="button" id="credentials-cancel">Cancel</button>
          <button value="use" id="credentials-use">Use these</button>
        </menu>
      </form>
    </dialog>`;

/** A popover, so that it is displayed above the viewer's dialog. */
const signedPanel = `
    <section id="signed" popover="manual" aria-labelledby="signed-title">
      <h2 id="signed-title">What was signed</h2>
      <output></output>
      <p class="note">sign is over the body and, directly behind it, the timestamp.</p>
      <button type="button" id="signed-close">Close</button>
    </section>`;

export const referencePage = framePage({
  title: 'Lading: API reference',
  toReference: 'docs',
  toDocs: 'docs/',
  barEnd: '<button type="button" id="credentials-open">Credentials</button>',
  content: `<noscript>This page needs JavaScript. The same for machines: <a href="openapi.json">openapi.json</a></noscript>
    <div id="reference"></div>${credentialsForm}${signedPanel}
    <script src="docs/viewer.js"></script>`,
  script: 'reference.js',
});

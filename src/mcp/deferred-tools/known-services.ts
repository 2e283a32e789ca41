// What well-known services are about, in the words of those who need them: a tool of a server called "sentry" may say nothing
// of errors. One subject a line: what it is about, then names of servers.
import { wordsIn } from "../../text/words.js";

const SERVICES = `
repository code pull request issue commit branch git: github gitlab bitbucket gitea azure devops git forgejo
pipeline build ci: jenkins circleci buildkite travis actions
issue ticket task project tracker bug sprint: jira linear shortcut youtrack redmine plane atlassian
wiki page document knowledge base: confluence notion gitbook slab coda outline obsidian
task todo project board card: asana trello todoist clickup monday basecamp ticktick things wrike
note notes page: obsidian evernote onenote bear apple logseq roam joplin keep
chat message channel team conversation: slack discord teams mattermost telegram whatsapp rocketchat matrix signal zulip imessage
email mail inbox message: gmail outlook mail imap sendgrid resend postmark mailgun fastmail ses smtp
newsletter campaign audience marketing: mailchimp klaviyo brevo sendgrid activecampaign
calendar event meeting appointment schedule: calendar cal calendly caldav
video call meeting conference recording: zoom meet webex teams fireflies otter
phone sms call text message: twilio vonage plivo
file document storage folder share: drive dropbox box onedrive gdrive filesystem sharepoint
spreadsheet table row cell sheet: sheets excel airtable smartsheet
database record table base: airtable baserow nocodb
presentation slide deck: slides powerpoint
document text writing: docs word
customer company contact lead deal sales crm: hubspot salesforce pipedrive attio zoho close
support ticket customer help conversation: zendesk intercom freshdesk helpscout front servicenow
payment money charge customer invoice subscription billing: stripe paypal square adyen mollie razorpay braintree paddle
invoice bill accounting expense bookkeeping tax: quickbooks xero freshbooks sage
store shop product order cart customer: shopify woocommerce magento bigcommerce etsy amazon
bank account transaction: plaid wise mercury ramp brex revolut
cloud server infrastructure: aws azure gcp digitalocean hetzner linode cloudflare oci
object storage bucket file: s3 gcs minio r2
function serverless code: lambda workers functions edge
deploy deployment hosting website site build: vercel netlify render railway fly heroku
dns domain edge cdn website: cloudflare route53 godaddy namecheap
cluster container pod deployment: kubernetes kubectl k8s openshift helm rancher argocd
container image: docker podman
infrastructure provision: terraform pulumi ansible cloudformation
database sql query table row: postgres postgresql mysql sqlite mssql mariadb supabase neon bigquery snowflake redshift clickhouse duckdb databricks planetscale oracle
data warehouse analytics: bigquery snowflake redshift databricks clickhouse dbt
document collection database query: mongodb mongo firestore couchbase
key value cache entry stored: redis memcached valkey upstash kv
search index document: elasticsearch opensearch elastic algolia meilisearch typesense solr
vector embedding semantic: qdrant pinecone weaviate chroma milvus
queue message stream topic: kafka rabbitmq sqs nats pulsar
browser web page website click screenshot tab: playwright puppeteer browserbase selenium chrome browser
web page scrape content website text: firecrawl fetch apify crawl scrape jina
web internet search online: brave tavily exa perplexity serper duckduckgo kagi bing searxng serp
map place location route address directions: maps mapbox osm here
weather forecast temperature rain: weather openweather accuweather meteo
design mockup layer component: figma sketch penpot zeplin
design graphic template poster: canva adobe
error exception crash issue stack trace: sentry rollbar bugsnag raygun honeybadger
metric log monitor alert trace dashboard: datadog grafana newrelic prometheus dynatrace honeycomb splunk loki cloudwatch axiom
incident oncall alert outage schedule: pagerduty opsgenie incident rootly firehydrant
analytics visitor traffic event user: analytics mixpanel amplitude posthog plausible segment
feature flag experiment: launchdarkly statsig unleash
video channel clip: youtube vimeo
social post tweet: twitter x bluesky mastodon linkedin facebook instagram threads
post discussion community: reddit hackernews discourse
music song track playlist play: spotify sonos apple music
home light device room smart door: home assistant homeassistant hue smartthings homekit
memory knowledge remember fact: memory mem0 graphiti zep
time date clock: time
documentation library api docs: context7 devdocs
speech voice audio: elevenlabs whisper deepgram
image picture generate: openai stability replicate dalle midjourney fal
translate language: deepl translate
video audio convert: ffmpeg
3d model scene object: blender unity unreal
stock market price finance: finance alphavantage polygon yahoo
crypto coin price: coingecko coinbase binance
travel flight hotel trip: amadeus kiwi expedia booking airbnb
paper research science: arxiv pubmed semantic scholar
encyclopedia article: wikipedia
contract signature document: docusign pandadoc hellosign
form survey response: typeform surveymonkey tally forms
employee hr leave payroll: bamboohr workday gusto personio hr
code security vulnerability scan: semgrep snyk sonarqube trivy
package library version: npm pypi crates maven
workflow automation: zapier n8n make
secret password vault: vault 1password bitwarden
user login identity: okta auth0 clerk
health workout sleep: strava fitbit garmin oura whoop
browser web page console network performance devtools: devtools chromium lighthouse stagehand
dashboard chart question bi report: metabase looker tableau superset powerbi redash
data pipeline job run sync warehouse model: dbt airbyte fivetran prefect airflow dagster
machine learning experiment training run model: wandb mlflow langsmith langfuse comet
paper reference citation library: zotero mendeley
flashcard deck card study: anki quizlet
highlight book read article saved: readwise pocket instapaper raindrop
meeting transcript call recording summary: fireflies gong otter granola fathom
payment checkout order shop staff: square clover toast
subscription plan billing customer: chargebee recurly lago
vulnerability threat security malware: wiz crowdstrike virustotal shodan nmap nessus burp
binary code decompile function: ghidra ida radare binaryninja
app simulator phone device build: xcode xcodebuild android adb appium mobile
code editor project symbol file refactor: jetbrains vscode serena lsp intellij
game scene object editor: godot roblox minecraft
stream recording scene camera audio: obs twitch
film movie tv series actor: tmdb imdb plex trakt jellyfin
sport game match score team: espn nba nfl football f1
game player: steam lichess
earthquake space planet science: usgs nasa
website cms page post content blog: ghost webflow wordpress wix contentful sanity strapi squarespace
advertisement campaign click: ads adwords
package app install: homebrew brew winget apt
budget spending transaction category: ynab actual monarch`;

const SUBJECTS: ReadonlyMap<string, string> = (() => {
  const subjects = new Map<string, string>();
  for (const line of SERVICES.trim().split("\n")) {
    const [subject, names] = line.split(": ");
    for (const name of wordsIn(names!)) subjects.set(name, `${subjects.get(name) ?? ""} ${subject}`);
  }
  return subjects;
})();

/** What the services are about whose names are in a server's name; empty for unknown ones. */
export function subjectOf(server: string): string {
  return [...new Set(wordsIn(server).flatMap((word) => (SUBJECTS.get(word) ?? "").split(" ")))].join(" ").trim();
}

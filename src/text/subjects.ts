// What everyday words and the words of tools, notes and instructions are both about. One subject a line: words that belong to it,
// in no order. A word may belong to several; the more it belongs to, the less each counts.
import { wordsIn } from "./words.js";

const SUBJECTS = `
activate enable switch turn on power
merge combine single join same duplicate unify
finish finished done complete completed resolve resolved fixed close closed solved tick
late overdue past should deadline behind due
category categorize classify kind label tag sort belongs
seen looked unread read opened
moderate approve junk reject hide pending
person people contact somebody someone anyone man woman guy lady mr mrs ms dr friend neighbour mother father mum dad grandma wife husband name individual human mobile phone address birthday whoever whose called known
employee staff worker personnel colleague coworker intern hire hired team teammate member boss manager supervisor department hr org organisation chart agent crew works newcomer starter workforce roster squad moved home record
customer client buyer shopper purchaser consumer guest patron visitor clientele caller subscriber bought buys spender member agent
company business firm organisation corporation enterprise account vendor supplier partner employer brand client
deal lead prospect opportunity sale pipeline funnel negotiation proposal crm interested quote campaign sell selling won lost win close customer chance conversion convert turn
order purchase buy bought basket cart checkout store shop bag ordered bought got contain sale
product item goods merchandise article sku catalog catalogue sell sold wares offering collection mug shirt shoe book
stock inventory warehouse quantity supply reorder restock shelf count left enough pieces run out low shelf remaining
shipment ship shipping parcel package delivery deliver dispatch dispatched courier carrier postage fulfill fulfillment tracking sent arrive leave truck way outgoing
price cost cheap cheaper expensive fee rate amount tariff worth
discount coupon voucher promotion percent off code rebate offer summer
payment pay paid charge charged card money cash euro dollar pound debit transfer checkout capture authorise amount visa terminal reserved take spend
refund return reimburse reverse back money chargeback half unhappy
invoice bill billing receipt owe due unpaid overdue
subscription recurring renew renewal membership plan monthly yearly month each every regularly automatic standing
payout balance earnings funds bank account revenue income reach arrive withdraw deposit settle settlement
dispute chargeback fraud contest claim
transaction spend spent expense budget groceries rent category saving finance bookkeeping movement statement ledger eating out kind food allowance
tax accounting accountant vat fiscal
wealth worth rich richer assets portfolio investment holding
ticket case support helpdesk request desk help complaint complain complained enquiry customer agent problem router conversation duplicate
satisfaction rating review feedback survey score opinion happy think csat poll
faq article knowledge wiki documentation howto guide base help solution
incident outage broken down trouble problem fault disruption fire emergency works stuck repair complaint wifi internet
issue bug defect error problem crash exception failure broken wrong fault
change request upgrade modification approval
asset hardware laptop monitor equipment device printer phone computer screen keyboard mouse order desk catalog service
task todo work job chore assignment duty card errand to-do piece finish finished complete completed done homework housework should
project undertaking initiative programme endeavour workspace plan begin effort
board kanban column wall card lane stage status backlog swimlane
checklist step item point tick
milestone deadline due date ready late overdue until
subtask dependency blocker split piece prerequisite before
comment remark note annotation reply answer feedback response respond
note memo jot notebook journal
assignee assign owner responsible deal care handle charge
time hours worked spent timesheet tracking attendance worklog log took duration track stopwatch spend
message chat post channel room conversation group stream text discussion talk thread im dm announce tell crew say said told mention mentioned answer write wrote private privately everybody team catch missed history
announcement announce news everybody broadcast release notify
reaction emoji heart thumb like smile
email mail letter inbox mailbox message newsletter write line correspondence sender recipient wrote written post say read unread seen looked smtp imap organised
draft prepare unsent
attachment attached file pdf
filter rule label folder automatically sort automatic
spam junk unsubscribe newsletter advertising unwanted marketing
vacation out-of-office autoreply auto-reply responder automatic
alias masked throwaway anonymous hide
calendar event meeting appointment agenda schedule dentist lunch dinner workshop session conference booking date reunion week tomorrow block hours reserve occupied plan interview
attendee invite invitation guest participant join rsvp ask come coming bring
free busy availability available slot gap
reminder remind alarm ring alert wake notification nudge
absence leave vacation holiday off sick ill away out time-off pto day trip today
salary payslip pay wage raise payroll paid compensation earn much money payment
hire onboard employment start terminate leave quit fire dismiss resignation
candidate applicant recruiting recruitment hiring interview job position opening vacancy designer career applied cv resume meet recruiter role vacant
file document text pdf folder directory spreadsheet scan attachment presentation upload store keep save where contract receipt lease passport find agreement certificate
folder directory album tree
share link public access download send collaborator collaboration
version history earlier previous restore revert ruined yesterday undo old original mess messed overwritten accident
trash bin delete deleted thrown wastebasket recycle
storage quota space disk capacity room gigabyte
photo picture image media screenshot snapshot camera album drawing graphic illustration gallery pic snap icon logo holiday visual
video clip movie film recording footage stream
audio sound voice speech podcast recording transcript
music song track album playlist artist play playback listen
blog post article entry publish publication page content cms story site text author writer news written published
website site page web url homepage imprint browser html online header footer landing text
comment moderate moderation reader remark spam hide
plugin extension addon integration app module seo feature switch theme activate enable
server machine box instance vm virtual host droplet computer node linux vps compute spin rent rack hardware hosting
reboot restart power on off start boot
backup snapshot copy save image restore dump recovery archive state
resize scale replica memory bigger cpu ram size upgrade capacity small little enlarge grow
container docker image pod kubernetes cluster service deployment deploy
deploy deployment release rollout version publish launch online ship live rollback
firewall port network security open incoming ingress
ip address floating spare point
dns domain record zone nameserver
certificate ssl https tls
bucket object blob s3 storage archive
function serverless lambda trigger invoke
cloud aws gcp azure project infrastructure
metric measure measurement numbers monitoring cpu load performance usage graph chart rate overloaded latency statistics query busy overload data over
log entry write wrote print printed trace stack crash record output
alert alarm pager monitor fire firing triggered warning notification
silence mute downtime maintenance noise quiet snooze
target health healthy alive up status check reachable
oncall duty shift rota schedule pager responsible
cost billing bill spending expense usage
database db sql table schema relation postgres mysql data stored stored data users measure
query select sql search rows
row record insert entry data document
column field attribute property describe structure schema
index slow plan explain optimize fast performance query long
session connection block kill terminate lock process
cache key value redis ttl expire memory
queue topic message event stream consumer publish lag
repository repo code source project git github
commit change diff push history
branch merge tag fork
pull request merge review pr code
build compile pipeline ci test job run workflow artifact binary branch night ci/cd stop
test tests testing check verify flaky suite passed
artifact binary download produced output
user account login member sign profile person username identity register signup access member someone
role permission access right grant allow admin privilege able see view let may allowed permitted administrator
password secret credential token key login vault
two-factor factor mfa otp code
map place location area neighbourhood street address near nearby picture region around city town bakery pharmacy
coordinates geocode latitude longitude address street position where
route directions way path drive walk foot car bicycle navigate quickest journey get
traffic jam congestion road
transit bus train tram subway departure station stop public
distance far reach reachable isochrone minutes travel matrix near nearest closest duration half hour within radius time get
weather forecast rain sun temperature snow wind umbrella
flight plane airline airport fly departure
hotel room stay booking accommodation apartment
restaurant table food eat dinner meal menu
recipe cook ingredient meal food
health sleep heart steps weight calories fitness nutrition
workout run ride exercise training activity sport
light lamp bulb dark bright brightness
temperature thermostat heating cold warm freezing hot climate degrees
door lock garage window blind cover open close
device switch entity appliance turn home
vacuum clean cleaner dirty carpet floor
scene automation routine smart
car vehicle charge battery tesla
social tweet post follower timeline share
like follower audience reach impressions engagement insights
subreddit community forum discussion post
form question answer response survey submission
contract sign signature envelope agreement lease legal
language translate translation foreign
course learn lesson study practice student
paper research study article science publication citation
news headline current press
search find look google web internet
weather climate air
stock share market ticker quote invest trade
crypto bitcoin coin ethereum wallet
report statistics analytics summary overview figures numbers trend conversion earn total
dashboard chart graph panel visualization plot diagram
experiment feature flag variant rollout toggle
visitor traffic session pageview audience funnel
workflow automation zap scenario trigger run schedule
cron schedule nightly recurring every timer job
model ai machine learning inference prompt
notebook cell jupyter kernel
browser click tab navigate screenshot form field type
console javascript network request
memory remember fact knowledge entity relation forget
time timezone clock hour now
convert format unit transform export
design mockup layer component figma frame
vulnerability security scan cve threat
library package dependency version module release
shell command terminal run execute script
print printer paper
phone call dial voice number
sms text message phone
whiteboard sticky diagram board
sport game match league team score won lost played player standings table fixture season football basketball tournament athlete race driver
game games gaming played playtime achievement steam console level chess move opponent
film movie cinema series tv show actor actress cast director watch episode streaming title
book novel author read library bookshelf ebook chapter isbn passage
underline underlined highlight highlights annotation marked passage quote
flashcard card deck vocabulary memorize learn study review revise due
patient doctor physician nurse hospital medical clinical medication drug medicine pill prescription diagnosis record health practitioner appointment illness
advertisement ad ads advertising campaign promotion impressions clicks conversions marketing google meta audience banner
etl pipeline load sync warehouse transform model lineage source ingest refresh flow run job nightly dag
dashboard bi board overview figures numbers chart question report card saved metrics
code class method function symbol variable refactor rename usage usages reference definition called caller ide editor inspection compile
app application mobile phone iphone ios android simulator emulator device install launch apk build
disassemble decompile binary reverse executable assembly malware
virus malware infected dangerous safe scan threat suspicious url file hash reputation harmful phishing
microphone camera webcam audio mute unmute source scene stream recording record capture screen broadcast live
slow loading performance trace speed profile vitals lag page network throttling offline
memory leak heap ram
space planet astronomy nasa rocket star asteroid moon satellite
earthquake seismic magnitude quake volcano shaken disaster
training train run experiment model loss accuracy metrics hyperparameter learning
citation reference bibliography library paper collection zotero
transcript spoken said everybody speaker conversation meeting notes summary action items recap`;

let bySubject: ReadonlyMap<string, readonly string[]> | undefined;

function readSubjects(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [index, line] of SUBJECTS.trim().split("\n").entries()) {
    for (const word of new Set(wordsIn(line))) found.set(word, [...(found.get(word) ?? []), `~${index}`]);
  }
  return found;
}

/** The subjects of a word in its compared form, as marks that are not words. */
export function subjectsOf(stem: string): readonly string[] {
  bySubject ??= readSubjects();
  return bySubject.get(stem) ?? [];
}

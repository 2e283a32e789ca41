import { allBut } from "../destructive-words.js";
import type { ProgramRow } from "../program-row.js";
import { ADMINISTERS } from "../reach.js";

const MANUALS = "their manuals, 2024";
const NEVER = "$^";

/** Programs whose work is the machine: only what shows something is not asked about. */
export const SETTING_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  [`nmcli networksetup scutil dhclient dhcpcd wpa_cli iwconfig iw rfkill ethtool brctl bridge ovs-vsctl wg wg-quick tc
    ifup ifdown netplan tailscale zerotier-cli iscsiadm csf`]: sets("changes the network", "ping|netcheck|-g"),
  "route arp": sets("changes the network", "-[aenv4]+"),
  [`iptables ip6tables iptables-restore ip6tables-restore nft ufw firewall-cmd ipset ebtables arptables pfctl
    fail2ban-client conntrack netsh`]: sets("changes the firewall", "-L|-S|-s|-nL|-vnL|-L\\w*|allow|--reload"),
  [`umount swapon swapoff losetup dmsetup fsck e2fsck debugfs tune2fs resize2fs xfs_growfs quotaoff quotacheck fstrim
    multipath exportfs udisksctl diskutil tmutil snapper timeshift mkswap lvm lvremove lvreduce lvresize lvchange
    lvconvert vgremove vgreduce vgchange pvremove pvmove zfs zpool btrfs ceph rados rbd gluster drbdadm pcs crm eject
    hdiutil diskpart cipher sg_format sg_sanitize quota`]: sets(
    "changes disks, or what is on them",
    "attach|verify|detail|history|--dry-run|--summary|usage|df|lvs|vgs|pvs|destinationinfo|diff|health",
  ),
  [`grub-install grub-mkconfig update-grub bootctl efibootmgr mokutil fwupdmgr flashrom ipmitool racadm nvram bless
    csrutil spctl bcdedit modprobe rmmod insmod depmod dkms update-initramfs dracut mkinitcpio mkinitrd kexec hwclock
    fastboot`]: sets("changes how the machine starts, or what its kernel does", "--dry-run|-v|sdr|sensor"),
  "pm-suspend pm-hibernate rtcwake pmset logoff killall5 slay skill kexec-load": sets("stops the machine", "-g"),
  [`launchctl rc-service rc-update sv s6-svc invoke-rc.d update-rc.d chkconfig initctl supervisorctl monit circusctl
    apachectl apache2ctl pg_ctl pg_ctlcluster machinectl portablectl gitlab-ctl rabbitmqctl nodetool postsuper`]: sets(
    "stops or changes what the machine runs",
    "start|restart|reload\\S*|graceful|up|load|kickstart|enable|defaults|add|tail|configtest|-t|update|reread|summary",
  ),
  [`setenforce semodule semanage setsebool auditctl aa-teardown aa-disable faillock pam_tally2 dscl sysadminctl
    dseditgroup homectl realm smbpasswd samba-tool kadmin kadmin.local ldapmodify ldapdelete ldapadd ipa pwconv pwunconv
    grpconv grpunconv authconfig authselect`]: sets(
    "changes who may use this machine, and how",
    "-l|read|\\S*-show|\\S*-find|inspect|-read|search|-search",
  ),
  "atrm fcrontab qdel scancel bkill condor_rm cancel lprm ipcrm xkill": sets("stops or deletes jobs", "-l"),
  "sc net wevtutil taskkill wmic reg": sets("changes the machine", "query|queryex|start|view|use|qe|el|gl|export"),
  "dbus-send busctl gdbus": sets(
    "asks a service of the machine for something",
    "introspect|tree|get-property|call .*Get\\S*",
  ),
  "salt salt-key pdsh dsh": sets("acts on many machines", "test\\.\\w+|grains\\.\\w+|-L"),
  "tpm2_clear tpm2_evictcontrol pkcs15-init secret-tool ykman security": sets(
    "changes where keys are kept",
    "lookup|search|find-\\S+|dump-\\S+",
  ),
};

function sets(what: string, safe = NEVER): ProgramRow {
  return { does: ADMINISTERS, anyOptions: true, manual: MANUALS, informs: "--version", destroys: allBut(safe, what) };
}

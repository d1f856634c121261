# What a test driver in Perl calls under `verisoft test` (doc/drivers.md). Without it choices are random, and a check that fails ends the script.
# SPDX-License-Identifier: MIT
package VeriSoft;
use strict;
use warnings;
use Exporter 'import';
use File::Basename;
our @EXPORT_OK = qw(toss check assume step look acquire release enqueue dequeue event answer say);

my $socket;
if (defined $ENV{VERISOFT_DRIVER}) {
    open($socket, '+<&=', $ENV{VERISOFT_DRIVER}) or die "VERISOFT_DRIVER: $!";
}

my %meant = (t => "\t", n => "\n");
my %escaped = ("\\" => "\\\\", "\t" => "\\t", "\n" => "\\n");

sub request {
    my ($what, @fields) = @_;
    my (undef, $file, $line) = caller(1);
    my @all = map { my $f = defined $_ ? "$_" : ''; $f =~ s/([\\\t\n])/$escaped{$1}/g; $f } basename($file) . ":$line", $what, @fields;
    my $text = join("\t", @all) . "\n";
    while (length $text) {
        my $sent = syswrite($socket, $text) or exit 125;
        $text = substr($text, $sent);
    }
    my $reply = '';
    until ($reply =~ /\n\z/) {
        sysread($socket, $reply, 65536, length $reply) or exit 125;
    }
    chomp $reply;
    return $reply;
}

sub toss    { my ($most) = @_; return $socket ? int request('toss', $most) : int rand($most + 1) }
sub check   { my ($holds, $words) = @_; if ($socket) { request('check', $holds ? 1 : 0, $words) } elsif (!$holds) { die "not so: $words\n" } return }
sub assume  { my ($holds, $words) = @_; if ($socket) { request('assume', $holds ? 1 : 0, $words) } elsif (!$holds) { exit 0 } return }
sub step    { my ($interface, $words) = @_; request('step', $interface, $words) if $socket; return }
sub look    { my ($interface, $words) = @_; request('look', $interface, $words) if $socket; return }
sub enqueue { my ($queue, $message) = @_; request('send', $queue, $message) if $socket; return }
sub dequeue { my ($queue) = @_; my $m = $socket ? request('receive', $queue) : ''; $m =~ s/\\(.)/defined $meant{$1} ? $meant{$1} : $1/ge; return $m }
sub event   { my ($object, $operation, $words) = @_; request('event', $object, $operation, $words) if $socket; return }
sub acquire { my ($name) = @_; request('wait', $name) if $socket; return }
sub release { my ($name) = @_; request('signal', $name) if $socket; return }
sub answer  { my ($words) = @_; request('answer', $words) if $socket; return $words }
sub say     { my ($words) = @_; request('print', $words) if $socket; return }

1;

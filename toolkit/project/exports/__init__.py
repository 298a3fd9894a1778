"""Cards for screens, shops and tables online: pictures, print services, Tabletop Simulator."""
